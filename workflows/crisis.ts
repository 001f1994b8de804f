/**
 * Crisis computing: which tweets are of use to helpers? A text pipeline and an image pipeline that meet in late fusion.
 * Own tweets go in as a folder with tweets.csv and images: `--input tweets=FOLDER`, and with `--input glove=FILE` word
 * vectors such as glove.twitter.27B.25d.txt.
 */
import { asha, asModel, choice, directory, file, logUniform, optional, search, tpe, workflow, z } from "wf";
import {
  evaluate,
  fuse,
  generate,
  generateGlove,
  inferImages,
  inferText,
  preprocessImages,
  preprocessTweets,
  split,
  trainImages,
  trainText,
} from "./crisis/tasks.ts";

export default workflow({
  name: "crisis",
  inputs: { tweets: optional(directory()), glove: optional(file("txt").as("reference")) },
  params: z.object({
    /** How many tweets are made where none are given. The real set has 12,738 pictures. */
    posts: z.number().int().min(100).default(2000),
    seed: z.number().int().default(4),
    ratios: z.tuple([z.number(), z.number(), z.number()]).default([0.7, 0.15, 0.15]),
    /** Pixels along a side that the image model sees. */
    size: z.number().int().multipleOf(16).min(32).default(64),
    /** Pictures that one task preprocesses. */
    chunk: z.number().int().min(1).default(360),
    /** How many settings each of the two searches tries, and after how many epochs it looks at them. */
    trials: z.number().int().min(1).default(4),
    rungs: z.array(z.number().int().min(1)).min(1).default([1, 3]),
    /** How long the best settings are trained. */
    textEpochs: z.number().int().min(1).default(5),
    imageEpochs: z.number().int().min(1).default(6),
    threads: z.number().int().min(1).default(1),
  }),
  build({ params, inputs }) {
    const { seed, size, threads, textEpochs, imageEpochs } = params;
    const tweets = inputs.tweets ?? generate({}, { tweets: params.posts, seed }).tweets;
    const glove = inputs.glove ?? generateGlove({}, { seed }).glove;
    const { train, val, test } = split({ tweets }, { ratios: params.ratios, seed });

    const tokens = {
      train: preprocessTweets({ tweets: train }, {}, { as: "tweets-train" }).tokens,
      val: preprocessTweets({ tweets: val }, {}, { as: "tweets-val" }).tokens,
      test: preprocessTweets({ tweets: test }, {}, { as: "tweets-test" }).tokens,
    };
    const chunks = { size: params.chunk };
    const images = {
      train: train
        .chunks(chunks)
        .map((images) => preprocessImages({ images }, { size }, { as: "images-train" }).images)
        .merge(),
      val: val
        .chunks(chunks)
        .map((images) => preprocessImages({ images }, { size }, { as: "images-val" }).images)
        .merge(),
      test: test
        .chunks(chunks)
        .map((images) => preprocessImages({ images }, { size }, { as: "images-test" }).images)
        .merge(),
    };

    // Two searches side by side. What is looked for is the likelihood: fusion needs chances, not only decisions.
    const { trials, rungs } = params;
    const searching = {
      trials,
      window: 2,
      maximise: "likelihood",
      pruner: asha({ rungs }),
      checkpoint: file("safetensors"),
    } as const;
    const short = { horizon: Math.max(...rungs), seed, threads: 1 };
    const textInputs = { train: tokens.train, val: tokens.val, glove };
    const imageInputs = { train: images.train, val: images.val };
    const text = search(
      { lr: logUniform(5e-4, 2e-2), hidden: choice([16, 32]) },
      ({ params, budget, checkpoint }) =>
        trainText({ ...textInputs, start: checkpoint }, { ...params, ...short, epochs: budget }),
      { ...searching, sampler: tpe({ seed }), as: "text-search" },
    );
    const image = search(
      { lr: logUniform(3e-4, 1e-2) },
      ({ params, budget, checkpoint }) =>
        trainImages({ ...imageInputs, start: checkpoint }, { ...params, ...short, epochs: budget }),
      { ...searching, sampler: tpe({ seed }), as: "image-search" },
    );
    const textModel = trainText(textInputs, {
      ...text.best,
      ...{ epochs: textEpochs, horizon: textEpochs, seed, threads },
    }).model;
    const imageModel = trainImages(imageInputs, {
      ...image.best,
      ...{ epochs: imageEpochs, horizon: imageEpochs, seed, threads },
    }).model;

    const { fusion } = fuse({
      text: inferText({ model: textModel, tweets: tokens.val }, {}, { as: "infer-text-val" }).predictions,
      image: inferImages({ model: imageModel, images: images.val }, {}, { as: "infer-images-val" }).predictions,
    });
    const scored = evaluate({
      text: inferText({ model: textModel, tweets: tokens.test }, {}, { as: "infer-text-test" }).predictions,
      image: inferImages({ model: imageModel, images: images.test }, {}, { as: "infer-images-test" }).predictions,
      fusion,
      tweets: test,
      textModel,
      imageModel,
      textStudy: text.study,
      imageStudy: image.study,
    });
    return {
      report: scored.report,
      predictions: scored.predictions,
      textModel: asModel("crisis-text", textModel, { accuracy: scored.metrics.text_accuracy }),
      imageModel: asModel("crisis-image", imageModel, { accuracy: scored.metrics.image_accuracy }),
      fusion,
      text_accuracy: scored.metrics.text_accuracy,
      image_accuracy: scored.metrics.image_accuracy,
      fusion_accuracy: scored.metrics.fusion_accuracy,
      fusion_macro_f1: scored.metrics.fusion_macro_f1,
    };
  },
});
