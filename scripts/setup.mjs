// What `./wf`, `npm test` and `pnpm bench` begin with, as a command of its own.
import { setUpOrExit } from "./setup/set-up.mjs";

await setUpOrExit(process.argv.slice(2));
