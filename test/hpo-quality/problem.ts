import { choice, integer, logUniform, oneOf, type Space, uniform } from "@wf/hpo";

/** A function to be minimised; `peer.py` knows by its name how to compute it. */
export interface Problem {
  readonly name: string;
  readonly title: string;
  readonly space: Space;
  readonly trials: number;
}

/** One objective. Regret is counted from its minimum; where nobody knows it, from the best that any run has seen. */
export interface SingleProblem extends Problem {
  readonly minimum: number | undefined;
}

/** Two objectives. What is better than `reference` in both counts, by the area that it dominates. */
export interface DoubleProblem extends Problem {
  readonly reference: readonly [number, number];
  readonly population: number;
}

function cube(dimensions: number, low: number, high: number): Space {
  return Object.fromEntries(Array.from({ length: dimensions }, (_, axis) => [`x${axis}`, uniform(low, high)]));
}

const TRIALS = 60;

/** The ranges of Ackley are not even around 0, since samplers may like the middle and its minimum is there. */
const FUNCTIONS: readonly SingleProblem[] = [
  {
    name: "branin",
    title: "Branin, 2 dimensions",
    space: { x0: uniform(-5, 10), x1: uniform(0, 15) },
    trials: TRIALS,
    minimum: 0.39788735772973816,
  },
  {
    name: "hartmann6",
    title: "Hartmann, 6 dimensions",
    space: cube(6, 0, 1),
    trials: TRIALS,
    minimum: -3.322368011415515,
  },
  { name: "rosenbrock5", title: "Rosenbrock, 5 dimensions", space: cube(5, -5, 10), trials: TRIALS, minimum: 0 },
  { name: "ackley5", title: "Ackley, 5 dimensions", space: cube(5, -15, 30), trials: TRIALS, minimum: 0 },
  {
    name: "styblinski-tang5",
    title: "Styblinski-Tang, 5 dimensions",
    space: cube(5, -5, 5),
    trials: TRIALS,
    minimum: 5 * -39.16616570377142,
  },
  {
    name: "conditional",
    title: "A conditional space",
    space: {
      lr: logUniform(1e-5, 1),
      depth: integer(1, 8),
      width: integer(8, 1024, { log: true }),
      activation: choice(["relu", "tanh", "sigmoid", "gelu"]),
      optimizer: oneOf("name", {
        sgd: { momentum: uniform(0, 1), nesterov: choice([false, true]) },
        adam: { epsilon: logUniform(1e-10, 1e-4) },
        plain: {},
      }),
    },
    trials: TRIALS,
    minimum: 0,
  },
];

const NETWORK: Space = {
  lr: logUniform(1e-4, 1),
  width: integer(4, 64, { log: true }),
  depth: integer(1, 3),
  decay: logUniform(1e-6, 1e-1),
  activation: choice(["relu", "tanh"]),
  optimizer: oneOf("name", { sgd: { momentum: uniform(0, 0.99) }, adam: { forget: logUniform(1e-4, 1e-1) } }),
};

export const SINGLE_PROBLEMS: readonly SingleProblem[] = [
  ...FUNCTIONS,
  { name: "network", title: "A network, trained each time", space: NETWORK, trials: TRIALS, minimum: undefined },
];

export const DOUBLE_PROBLEMS: readonly DoubleProblem[] = [
  {
    name: "zdt1",
    title: "ZDT1, 10 dimensions",
    space: cube(10, 0, 1),
    trials: 300,
    reference: [1.1, 2],
    population: 30,
  },
  {
    name: "network-size",
    title: "A network: loss against size",
    space: NETWORK,
    trials: 100,
    reference: [1.1, 4],
    population: 20,
  },
];
