# Waits until the test run that started it has ended, then stops that run's database and removes its folder ($1).
# Several rounds, because the run may have died in the middle of starting the database.
trap '' HUP INT TERM
read -r _
quiet=0 round=0
while [ "$quiet" -lt 3 ] && [ "$round" -lt 100 ]; do
  round=$((round + 1))
  if pid=$(head -n 1 "$1/postgres/data/postmaster.pid" 2>/dev/null) && [ -n "$pid" ]; then
    kill -QUIT "$pid" 2>/dev/null
  fi
  rm -rf "$1" 2>/dev/null
  if [ -e "$1" ]; then quiet=0; else quiet=$((quiet + 1)); fi
  sleep 0.1
done
