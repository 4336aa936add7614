# Waits until the test run that started it has ended, then kills what ran in its folder ($1) and removes the folder.
# Several rounds, because the run may have died in the middle of starting a database.
trap '' HUP INT TERM
read -r _
quiet=0 round=0
while [ "$quiet" -lt 3 ] && [ "$round" -lt 100 ]; do
  round=$((round + 1))
  for pid in $(cat "$1/pids" 2>/dev/null); do
    kill -KILL "$pid" 2>/dev/null
  done
  for file in $(find "$1" -name postmaster.pid 2>/dev/null); do
    kill -QUIT "$(head -n 1 "$file")" 2>/dev/null
  done
  rm -rf "$1" 2>/dev/null
  if [ -e "$1" ]; then quiet=0; else quiet=$((quiet + 1)); fi
  sleep 0.1
done
