/** What tasks, stages, inputs, outputs and metrics may be called: it goes into file names, keys and commands. */
export const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;
