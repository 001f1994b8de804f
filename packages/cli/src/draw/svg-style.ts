/**
 * Plain rules without variables, since programs that turn SVG into PDF know those only. Dark colours where the reader
 * prefers them.
 */
export const SVG_STYLE = `
text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; fill: #1f2933; }
.canvas { fill: #ffffff; }
.label { font-size: 13px; font-weight: 600; }
.detail, .count, .flow, .heading { font-size: 11px; }
.detail { fill: #66727f; }
.heading { fill: #52606d; font-weight: 600; }
.count { fill: #0b6e8f; font-weight: 600; }
.flow { fill: #52606d; stroke: #ffffff; stroke-width: 4px; stroke-linejoin: round; paint-order: stroke; }
.task { fill: #ffffff; stroke: #7b8794; stroke-width: 1.2px; }
.fits { fill: #fff6e5; stroke: #c8811a; }
.input { fill: #e6f4ea; stroke: #4c9a63; stroke-width: 1.2px; }
.output { fill: #e5effb; stroke: #3f7fc4; stroke-width: 1.2px; }
.group { fill: #f6f8fa; stroke: #cbd2d9; stroke-width: 1px; }
.repeat { stroke: #c8811a; }
.when { fill: none; stroke: #7b8794; stroke-dasharray: 5 4; }
.arrow { fill: none; stroke: #7b8794; stroke-width: 1.3px; }
.control { stroke-dasharray: 5 4; }
.order { stroke-dasharray: 1.5 3.5; }
.head { fill: #7b8794; }
@media (prefers-color-scheme: dark) {
  text { fill: #e4e7eb; }
  .canvas { fill: #14181d; }
  .detail { fill: #9aa5b1; }
  .heading { fill: #b3bdc8; }
  .count { fill: #5cc4e6; }
  .flow { fill: #b3bdc8; stroke: #14181d; }
  .task { fill: #222931; stroke: #7b8794; }
  .fits { fill: #3a2f1b; stroke: #d69a3c; }
  .input { fill: #1b3325; stroke: #5fb57a; }
  .output { fill: #1a2c42; stroke: #6aa5e3; }
  .group { fill: #1a2027; stroke: #3e4c59; }
  .repeat { stroke: #d69a3c; }
  .when { fill: none; stroke: #7b8794; }
  .arrow { stroke: #8793a0; }
  .head { fill: #8793a0; }
}
`.trim();
