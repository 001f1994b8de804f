import { atLeast, json, nothing, repeat, workflow, z } from "wf";
import { History, Truth } from "./sources.ts";
import { assess, detect, tiles } from "./tasks.ts";

/**
 * Looks for sources, compares them with what was put into the sky, and looks again at a lower level until enough of
 * them is found, three times at most.
 */
export default workflow({
  name: "calibrate",
  inputs: { sky: tiles, truth: json(Truth), level: json(z.number()) },
  params: z.object({ goal: z.number().default(0.85) }),
  build({ inputs, params }) {
    return repeat(
      { level: inputs.level, history: nothing(json(History)) },
      ({ level, history }) => {
        const found = inputs.sky
          .rows()
          .map(({ image, name, seeing }) => detect({ image }, { tile: name, seeing, level }));
        const score = assess({ catalogues: found.sources, truth: inputs.truth, history }, { level, goal: params.goal });
        return {
          level: score.history.fields.next,
          searchedAt: level,
          history: score.history,
          sources: found.sources,
          completeness: score.metrics.completeness,
          purity: score.metrics.purity,
        };
      },
      { atMost: 3, until: ({ completeness }) => atLeast(completeness, params.goal) },
    );
  },
});
