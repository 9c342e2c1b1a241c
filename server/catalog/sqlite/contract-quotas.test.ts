import { sqliteContract } from "./contract.fixture.ts";

sqliteContract("quotas");
