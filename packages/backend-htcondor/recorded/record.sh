#!/bin/bash
# record.sh POOL [NAME…]: makes the recordings of this folder anew, all or some, on a pool that condor-up has brought up
# in POOL and that nothing else uses. Daemons of the pool are killed and limits are changed on the way.
set -euo pipefail
POOL=$1; shift
HERE=$(cd "$(dirname "$0")" && pwd)
export PATH=$POOL/bin:/usr/bin:/bin
WORK=$(mktemp -d "$POOL/record-XXXXXX"); chmod 777 "$WORK"
ATTRIBUTES="WfToken, QDate, JobCurrentStartDate, EnteredCurrentStatus, NumJobStarts, NumShadowStarts, RemoteHost, LastRemoteHost, BytesSent, BytesRecvd, RemoteUserCpu, RemoteSysCpu, RemoteWallClockTime, ResidentSetSize_RAW, MemoryUsage"
COLUMNS_="ClusterId ProcId WfToken JobStatus HoldReasonCode HoldReasonSubCode HoldReason RemoveReason NumJobStarts NumShadowStarts ExitBySignal ExitCode ExitSignal RemoteHost LastRemoteHost QDate JobStartDate JobCurrentStartDate CompletionDate EnteredCurrentStatus BytesSent BytesRecvd RemoteUserCpu RemoteSysCpu RemoteWallClockTime ResidentSetSize_RAW MemoryUsage"

# describe NAME [LINE…]: a description of one job in the manner of wf
describe() {
  local name=$1; shift
  { printf '%s\n' "log = $WORK/$name.log" "log_xml = True" "job_ad_information_attrs = $ATTRIBUTES" "My.WfToken = \"token-$name\"" \
      "output = $WORK/$name.out" "error = $WORK/$name.err" "request_memory = 64MB" "request_cpus = 1" "request_disk = 10MB" \
      "executable = $WORK/$name.sh" "should_transfer_files = NO" "$@"; [[ "$*" == *queue* ]] || echo queue; } >"$WORK/$name.description"
}
script() { printf '#!/bin/sh\n%s\n' "$2" >"$WORK/$1.sh"; chmod 755 "$WORK/$1.sh"; }
submit() { condor_submit -terse "$WORK/$1.description" | sed -n 's/^\([0-9]*\)\..*/\1/p'; }
events() { cat "$WORK/$1.log" 2>/dev/null | grep -c "EventTypeNumber\"><i>$2<" || true; }
await() { local i; for i in $(seq 300); do [ "$(events "$1" "$2")" -ge "${3:-1}" ] && return 0; sleep 0.2; done; echo "$1: no event $2" >&2; return 1; }
keep() { clean <"$WORK/$1.log" >"$HERE/$1.log.xml"; }
# no folder, port, user or host of the machine where it was made
clean() { sed -E "s#$POOL#/pool#g; s#record-[A-Za-z0-9]{6}#record#g; s#$(hostname)#submit.example.org#g"; }

# said NAME COMMAND…: what a command prints and its exit code
said() {
  local name=$1 code=0; shift
  "$@" >"$WORK/said.out" 2>"$WORK/said.err" || code=$?
  { printf '# command: %s\n# exit: %s\n' "${*//$'\n'/ }" "$code"; cat "$WORK/said.out"; } | clean >"$HERE/$name.txt"
  clean <"$WORK/said.err" >"$HERE/$name.stderr.txt"
  [ -s "$HERE/$name.stderr.txt" ] || rm "$HERE/$name.stderr.txt"
}
look() { # look NAME CLUSTER: what condor_q and condor_history say of it, where they know it
  local command
  for command in condor_q condor_history; do
    said "$1.$command" $command "$2" -json -attributes "${COLUMNS_// /,}"
    grep -q ClusterId.: "$HERE/$1.$command.txt" || rm "$HERE/$1.$command.txt"
  done
}
finish() { condor_rm "$1" >/dev/null 2>&1 || true; }

record_completed() {
  script completed 'exit 0'; describe completed "queue 2"; local c; c=$(submit completed)
  await completed 5 2; sleep 3; keep completed; look completed "$c"
}
record_failed() { script failed 'exit 5'; describe failed; local c; c=$(submit failed); await failed 5; sleep 3; keep failed; look failed "$c"; }
record_signal() { script signal 'kill -9 $$'; describe signal; local c; c=$(submit signal); await signal 5; sleep 3; keep signal; look signal "$c"; }
record_transferred() {
  script transferred 'echo out >result; /bin/cat input >>result'
  head -c 5000 /dev/zero >"$WORK/input"
  describe transferred "should_transfer_files = YES" "when_to_transfer_output = ON_EXIT" "transfer_input_files = $WORK/input" "initialdir = $WORK" "transfer_output_files = result"
  local c; c=$(submit transferred); await transferred 5; sleep 3; keep transferred; look transferred "$c"
}
record_used() {
  script used 'exec /usr/bin/python3 -c "
import time
held = bytearray(40 << 20)
end = time.time() + 6
while time.time() < end: pass"'
  describe used; local c; c=$(submit used); await used 5; sleep 3; keep used; look used "$c"
}
record_running() { script running 'exec /bin/sleep 60'; describe running; local c; c=$(submit running); await running 1; sleep 2; keep running; look running "$c"; finish "$c"; }
record_waiting() { script waiting 'exit 0'; describe waiting 'requirements = Machine == "nowhere"'; local c; c=$(submit waiting); sleep 3; keep waiting; look waiting "$c"; finish "$c"; }
record_held-by-hand() {
  script held-by-hand 'exec /bin/sleep 8'; describe held-by-hand; local c; c=$(submit held-by-hand); await held-by-hand 1
  condor_hold -reason 'the disk is full' "$c" >/dev/null; await held-by-hand 12; sleep 1; look held-by-hand "$c"
  condor_release "$c" >/dev/null; await held-by-hand 5; keep held-by-hand
}
record_removed-by-hand() { script removed-by-hand 'exec /bin/sleep 60'; describe removed-by-hand; local c; c=$(submit removed-by-hand); await removed-by-hand 1; condor_rm "$c" >/dev/null; await removed-by-hand 9; sleep 3; keep removed-by-hand; look removed-by-hand "$c"; }
record_removed-waiting() { script removed-waiting 'exit 0'; describe removed-waiting 'requirements = Machine == "nowhere"'; local c; c=$(submit removed-waiting); condor_rm -reason 'not wanted' "$c" >/dev/null; await removed-waiting 9; sleep 3; keep removed-waiting; look removed-waiting "$c"; }
record_memory() {
  script memory 'exec /usr/bin/python3 -c "
held = []
while True: held.append(bytearray(8 << 20))"'
  describe memory; local c; c=$(submit memory); await memory 12; sleep 2; keep memory; look memory "$c"; finish "$c"
}
record_memory-policy() { # as of pools without cgroups
  echo 'SYSTEM_PERIODIC_HOLD = MemoryUsage > RequestMemory' >"$POOL/local.conf"; condor_reconfig >/dev/null; sleep 3
  script memory-policy 'exec /usr/bin/python3 -c "
import time
held = bytearray(90 << 20)
time.sleep(60)"'
  describe memory-policy; local c; c=$(submit memory-policy); await memory-policy 12; sleep 1; keep memory-policy; look memory-policy "$c"; finish "$c"
  : >"$POOL/local.conf"; condor_reconfig >/dev/null; sleep 3
}
record_requeued() { script requeued 'exit 5'; describe requeued 'on_exit_remove = NumJobStarts > 1'; local c; c=$(submit requeued); await requeued 5; sleep 2; keep requeued; look requeued "$c"; }
record_no-executable() { describe no-executable "executable = /nowhere/program" "transfer_executable = False"; local c; c=$(submit no-executable); await no-executable 12; sleep 2; keep no-executable; look no-executable "$c"; finish "$c"; }
record_not-executable() { script not-executable 'exit 0'; printf '#!/nowhere/sh\nexit 0\n' >"$WORK/not-executable.sh"; describe not-executable; local c; c=$(submit not-executable); sleep 6; keep not-executable; look not-executable "$c"; finish "$c"; }
record_no-output-folder() { script no-output-folder 'exit 0'; describe no-output-folder "output = $WORK/nowhere/out"; said no-output-folder.condor_submit condor_submit -terse "$WORK/no-output-folder.description"; }
record_output-unwritable() {
  script output-unwritable 'exit 0'; mkdir "$WORK/gone"; chmod 777 "$WORK/gone"; describe output-unwritable "output = $WORK/gone/out" 'hold = True'
  local c; c=$(submit output-unwritable); rm -r "$WORK/gone"; condor_release "$c" >/dev/null; await output-unwritable 12; sleep 1; keep output-unwritable; look output-unwritable "$c"; finish "$c"
}
record_input-unreadable() {
  script input-unreadable 'exit 0'; echo x >"$WORK/private"; chmod 644 "$WORK/private"
  describe input-unreadable "should_transfer_files = YES" "transfer_input_files = $WORK/private" 'hold = True'
  local c; c=$(submit input-unreadable); chmod 600 "$WORK/private"; condor_release "$c" >/dev/null; await input-unreadable 12; sleep 1; keep input-unreadable; look input-unreadable "$c"; finish "$c"
}
record_output-missing() {
  script output-missing 'exit 5'
  describe output-missing "should_transfer_files = YES" "when_to_transfer_output = ON_EXIT" "transfer_output_files = result"
  local c; c=$(submit output-missing); await output-missing 12; sleep 1; keep output-missing; look output-missing "$c"; finish "$c"
}
record_policy() { script policy 'exec /bin/sleep 60'; describe policy 'periodic_hold = JobStatus == 2' 'periodic_hold_reason = "too long"' 'periodic_hold_subcode = 42'; local c; c=$(submit policy); await policy 12; sleep 1; keep policy; look policy "$c"; finish "$c"; }
record_evicted() { script evicted 'exec /bin/sleep 20'; describe evicted; local c; c=$(submit evicted); await evicted 1; condor_vacate_job "$c" >/dev/null; await evicted 4; await evicted 1 2; sleep 2; keep evicted; look evicted "$c"; finish "$c"; }
record_startd-killed() {
  script startd-killed 'exec /bin/sleep 90'; describe startd-killed; local c; c=$(submit startd-killed); await startd-killed 1; sleep 2
  kill_daemon condor_startd; await startd-killed 24; await startd-killed 1 2; sleep 2; keep startd-killed; look startd-killed "$c"; finish "$c"
}
record_starter-killed() {
  script starter-killed 'exec /bin/sleep 30'; describe starter-killed; local c; c=$(submit starter-killed); await starter-killed 1; sleep 2
  kill_daemon condor_starter; sleep 12; keep starter-killed; look starter-killed "$c"; finish "$c"
}
record_shadow-killed() {
  script shadow-killed 'exec /bin/sleep 30'; describe shadow-killed; local c; c=$(submit shadow-killed); await shadow-killed 1; sleep 2
  kill_daemon condor_shadow; sleep 15; keep shadow-killed; look shadow-killed "$c"; finish "$c"
}
record_schedd-killed() {
  script schedd-killed 'exec /bin/sleep 25'; describe schedd-killed; local c; c=$(submit schedd-killed); await schedd-killed 1; sleep 2
  kill_daemon condor_schedd; await schedd-killed 5; sleep 3; keep schedd-killed; look schedd-killed "$c"
}
record_not-started-twice() {
  script not-started-twice 'exec /bin/sleep 20'; describe not-started-twice 'requirements = NumJobStarts == 0'; local c; c=$(submit not-started-twice); await not-started-twice 1; sleep 2
  condor_vacate_job "$c" >/dev/null; await not-started-twice 4; sleep 5; keep not-started-twice; look not-started-twice "$c"; finish "$c"
}
kill_daemon() { local p; for p in /proc/[0-9]*; do [ "$(readlink "$p/exe" 2>/dev/null)" != "$(readlink -f "$POOL/root/usr/sbin/$1")" ] || kill -9 "${p#/proc/}"; done; }

record_submitted() { script submitted 'exit 0'; describe submitted 'queue 3'; said submitted.condor_submit condor_submit -terse "$WORK/submitted.description"; }
record_bad-syntax() { printf 'executable = /bin/true\nthis is nothing\nqueue\n' >"$WORK/bad-syntax.description"; said bad-syntax.condor_submit condor_submit -terse "$WORK/bad-syntax.description"; }
record_bad-requirements() { printf 'executable = /bin/true\nrequirements = Memory > (\nqueue\n' >"$WORK/bad-requirements.description"; said bad-requirements.condor_submit condor_submit -terse "$WORK/bad-requirements.description"; }
record_bad-value() { printf 'executable = /bin/true\nrequest_memory = lots\nqueue\n' >"$WORK/bad-value.description"; said bad-value.condor_submit condor_submit -terse "$WORK/bad-value.description"; }
record_unknown-key() { printf 'executable = /bin/true\nno_such_key = 5\nlog=%s\nqueue\n' "$WORK/unknown-key.log" >"$WORK/unknown-key.description"; said unknown-key.condor_submit condor_submit -terse "$WORK/unknown-key.description"; }
record_missing-executable() { printf 'executable = /nowhere/program\nqueue\n' >"$WORK/missing-executable.description"; said missing-executable.condor_submit condor_submit -terse "$WORK/missing-executable.description"; }
record_missing-input() { printf 'executable = /bin/true\nshould_transfer_files = YES\ntransfer_input_files = /nowhere/input\nqueue\n' >"$WORK/missing-input.description"; said missing-input.condor_submit condor_submit -terse "$WORK/missing-input.description"; }
record_no-description() { said no-description.condor_submit condor_submit -terse "$WORK/nowhere.description"; }
record_log-unwritable() { printf 'executable = /bin/true\nlog = /nowhere/log\nqueue\n' >"$WORK/log-unwritable.description"; said log-unwritable.condor_submit condor_submit -terse "$WORK/log-unwritable.description"; }
record_bad-group() { printf 'executable = /bin/true\naccounting_group = no such group!\nqueue\n' >"$WORK/bad-group.description"; said bad-group.condor_submit condor_submit -terse "$WORK/bad-group.description"; }
limited() { # limited NAME LINE COUNT
  echo "$2" >"$POOL/local.conf"; condor_reconfig >/dev/null; sleep 2
  printf 'executable = /bin/true\nhold = True\nqueue %s\n' "$3" >"$WORK/$1.description"
  said "$1.condor_submit" condor_submit -terse "$WORK/$1.description"
  : >"$POOL/local.conf"; condor_reconfig >/dev/null; sleep 6; condor_rm -all >/dev/null 2>&1 || true
}
# The schedd may keep this limit for a while: the jobs of what is recorded next are refused then, so it comes last.
record_zz-queue-full() { limited queue-full 'MAX_JOBS_SUBMITTED = 2' 5; }
record_too-many-jobs() { limited too-many-jobs 'MAX_JOBS_PER_OWNER = 2' 5; }
record_too-many-at-once() { limited too-many-at-once 'MAX_JOBS_PER_SUBMISSION = 2' 5; }
record_submit-requirement() { limited submit-requirement 'SUBMIT_REQUIREMENT_NAMES = Project
SUBMIT_REQUIREMENT_Project = ProjectName isnt undefined
SUBMIT_REQUIREMENT_Project_REASON = "Set ProjectName: see the wiki"' 1; }
record_as-root() {
  printf 'executable = /bin/true\nqueue\n' >"$WORK/as-root.description"
  said as-root.condor_submit env CONDOR_CONFIG="$POOL/condor_config" "$POOL/root/usr/bin/condor_submit" -terse "$WORK/as-root.description"
}
record_schedd-down() {
  condor_off -schedd >/dev/null 2>&1 || true; sleep 4
  printf 'executable = /bin/true\nqueue\n' >"$WORK/schedd-down.description"
  said schedd-down.condor_submit condor_submit -terse "$WORK/schedd-down.description"
  said schedd-down.condor_q condor_q -allusers -json
  said schedd-down.condor_rm condor_rm 1
  condor_on -schedd >/dev/null; until condor_q >/dev/null 2>&1; do sleep 1; done
}
stopped() { local p; for p in /proc/[0-9]*; do [ "$(readlink "$p/exe" 2>/dev/null)" != "$(readlink -f "$POOL/root/usr/sbin/condor_schedd")" ] || kill "-$1" "${p#/proc/}"; done; }
record_schedd-silent() {
  printf 'executable = /bin/true\nMy.WfToken = "silent"\nhold = True\nqueue\n' >"$WORK/schedd-silent.description"
  stopped STOP
  said schedd-silent.condor_submit timeout 40 condor_submit -terse "$WORK/schedd-silent.description"
  said schedd-silent.condor_q timeout 40 condor_q -allusers -json
  stopped CONT; sleep 2
  condor_q -allusers >&2 || true; condor_rm -all >/dev/null 2>&1 || true
}
record_nothing() { said nothing.condor_q condor_q -allusers 999999 -json; said nothing.condor_history condor_history 999999 -json; said nothing.condor_rm condor_rm 999999; said nothing.condor_release condor_release 999999; }
record_survey() { # as survey-condor.ts asks
  said survey.condorVersion condor_version
  said survey.condorQueue condor_q -limit 1
  said survey.condorSlots condor_status -json -constraint 'SlotType =!= "Dynamic"' -attributes Machine,TotalSlotCpus,TotalSlotMemory,TotalSlotGPUs,FileSystemDomain
  said survey.condorLimits sh -c 'for name in FILESYSTEM_DOMAIN MAX_JOBS_PER_OWNER MAX_JOBS_SUBMITTED MAX_JOBS_PER_SUBMISSION; do
  printf "%s=%s\n" "$name" "$(condor_config_val "$name" 2>/dev/null)"
done'
}

NAMES=("$@"); [ $# -gt 0 ] || mapfile -t NAMES < <(declare -F | sed -n 's/^declare -f record_//p')
for name in "${NAMES[@]}"; do echo "$name" >&2; "record_$name" || echo "$name failed" >&2; done
rm -rf "$WORK"
