export { printable } from "@wf/protocol";
export { lastState, printedLine } from "@wf/run";
