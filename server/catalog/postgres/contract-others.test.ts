import { postgresContract } from "./contract.fixture.ts";

postgresContract("others");
