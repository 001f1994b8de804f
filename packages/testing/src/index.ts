/**
 * What tests of all packages share: waiting for an event, and how many cases a property draws.
 *
 * @example
 * const pid = await until("the pid of the task", () => readPid(folder));
 * fc.assert(fc.property(spaces, isCovered), cases(400));
 */
export { cases, type PropertySettings, propertySettings } from "./cases.ts";
export { PATIENCE_MS, until } from "./until.ts";
