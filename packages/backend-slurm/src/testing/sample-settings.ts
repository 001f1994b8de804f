import { SlurmSettings } from "@wf/site";
import type { z } from "zod";

export function sampleSettings(settings: z.input<typeof SlurmSettings> = {}): SlurmSettings {
  return SlurmSettings.parse(settings);
}
