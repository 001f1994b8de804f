export { ended, finished, lifeOf, ready, started, step, submitted } from "./facts.ts";
export { SimulatedSite } from "./simulated-site.ts";
export { part, readyWith, StoreFixture } from "./store-fixture.ts";
