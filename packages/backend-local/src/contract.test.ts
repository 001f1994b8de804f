import { backendContract } from "@wf/backend/contract";
import { makeLocalHarness } from "./testing/local-harness.ts";

backendContract("local", makeLocalHarness);
