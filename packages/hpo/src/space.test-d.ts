import { choice, integer, logUniform, oneOf, uniform } from "./parameters.ts";
import { suggest } from "./sampler.ts";
import type { SettingOf } from "./space.ts";
import { tpe } from "./tpe.ts";

const space = {
  lr: logUniform(1e-4, 1e-1),
  width: choice([8, 16]),
  act: choice(["relu", null]),
  layers: integer(1, 4),
  optimizer: oneOf("name", { sgd: { momentum: uniform(0, 1) }, adam: {} }),
};

type Setting = SettingOf<typeof space>;

const setting: Setting = suggest(tpe(), { space, directions: ["minimise"], index: 0, history: [] });
setting.lr satisfies number;
setting.layers satisfies number;
setting.width satisfies 8 | 16;
setting.act satisfies "relu" | null;
if (setting.optimizer.name === "sgd") setting.optimizer.momentum satisfies number;
// @ts-expect-error: adam has no momentum
if (setting.optimizer.name === "adam") setting.optimizer.momentum;
// @ts-expect-error: there is no such branch
if (setting.optimizer.name === "rmsprop") throw new Error();
// @ts-expect-error: there is no such parameter
setting.depth;
// @ts-expect-error: 32 is not among the choices
({ ...setting, width: 32 }) satisfies Setting;
// @ts-expect-error: a function is not a value
choice([() => 1]);
// @ts-expect-error: a bare number is not a parameter
oneOf("name", { sgd: { momentum: 0.9 } });
// @ts-expect-error: there is no such direction
suggest(tpe(), { space, directions: ["best"], index: 0, history: [] });
