#!/bin/sh
# `nest start` has checked the types and calls this with the built file, which `npm start` brings up to date and starts.
exec npm start
