{ if (length($0) > longest) longest = length($0) }
END {
  printf "{\"lines\": %d, \"longest\": %d}\n", NR, longest > summary
  print "one dot a line" > (plots "/lines.txt")
  printf "{\"lines\": %d}\n", NR > ENVIRON["WF_METRICS"]
}
