/**
 * Crisis computing: which tweets are of use to helpers? A text pipeline and an image pipeline that meet in late fusion.
 * Own tweets go in as a folder with tweets.csv and images: `--input tweets=FOLDER`, and with `--input glove=FILE` word
 * vectors such as glove.twitter.27B.25d.txt.
 */
import { directory, file, optional, workflow, z } from "wf";
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
    textEpochs: z.number().int().min(1).default(5),
    textLr: z.number().positive().default(4e-3),
    imageEpochs: z.number().int().min(1).default(6),
    imageLr: z.number().positive().default(2e-3),
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

    const textModel = trainText(
      { train: tokens.train, val: tokens.val, glove },
      { epochs: textEpochs, horizon: textEpochs, lr: params.textLr, seed, threads },
    ).model;
    const imageModel = trainImages(
      { train: images.train, val: images.val },
      { epochs: imageEpochs, horizon: imageEpochs, lr: params.imageLr, seed, threads },
    ).model;

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
    });
    return {
      report: scored.report,
      predictions: scored.predictions,
      textModel,
      imageModel,
      fusion,
      text_accuracy: scored.metrics.text_accuracy,
      image_accuracy: scored.metrics.image_accuracy,
      fusion_accuracy: scored.metrics.fusion_accuracy,
      fusion_macro_f1: scored.metrics.fusion_macro_f1,
    };
  },
});
