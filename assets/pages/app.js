// The pages work without this script: it only saves reloads. One file, no library, no build.
