# awk -f fit.awk RATE SLOPE KIND STEPS STATE [START]: a made-up training that nears its end with every step.
BEGIN {
  rate = ARGV[1]; slope = ARGV[2]; kind = ARGV[3]; steps = ARGV[4]; state = ARGV[5]; start = ARGV[6]
  done = 0
  if (start != "") getline done < start
  floor = (slope - 0.5) ^ 2 + (kind == "line" ? 0.2 : 0) + (log(rate) + 3) ^ 2 / 50
  for (step = done + 1; step <= steps; step++)
    printf "{\"step\": %d, \"loss\": %.6f}\n", step, floor + 1 / step >> ENVIRON["WF_METRICS"]
  print steps > state
}
