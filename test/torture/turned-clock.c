/*
 * Loaded before libc, it adds a number of seconds to what a program is told of the time of day. CLOCK_FILE holds the
 * number, so that the clock of programs that run can be turned. Clocks that only count on, and the times that the kernel
 * gives to files, stay what they are.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile long long *turned;

__attribute__((constructor)) static void open_clock(void) {
  int file = open(CLOCK_FILE, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  void *page = mmap(NULL, sizeof *turned, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (page != MAP_FAILED) turned = page;
}

static long long seconds_turned(void) { return turned ? *turned : 0; }

int clock_gettime(clockid_t clock, struct timespec *now) {
  int result = syscall(SYS_clock_gettime, clock, now);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += seconds_turned();
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  int result = syscall(SYS_gettimeofday, now, zone);
  if (result == 0) now->tv_sec += seconds_turned();
  return result;
}

time_t time(time_t *now) {
  struct timespec found;
  clock_gettime(CLOCK_REALTIME, &found);
  if (now) *now = found.tv_sec;
  return found.tv_sec;
}
