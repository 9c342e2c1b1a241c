import { postgresContract } from "./contract.fixture.ts";

postgresContract("quotas");
