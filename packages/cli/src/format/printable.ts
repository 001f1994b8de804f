export { printable } from "@wf/core";
export { lastState, printedLine } from "@wf/run";
