import picocolors from "picocolors";

export type Colours = ReturnType<typeof picocolors.createColors>;
export type Paint = (text: string) => string;

export interface ColourChoice {
  /** `--no-color` makes it false. */
  readonly flag: boolean;
  readonly isTerminal: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Who asks for none is heard first (`--no-color`, then NO_COLOR), then who insists (FORCE_COLOR), then the terminal. */
export function wantsColour({ flag, isTerminal, env }: ColourChoice): boolean {
  if (!flag || env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  return isTerminal && env.TERM !== "dumb";
}

export function colours(choice: ColourChoice): Colours {
  return picocolors.createColors(wantsColour(choice));
}

export const NO_COLOURS: Colours = picocolors.createColors(false);
