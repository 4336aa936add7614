// Says how far the installation is. Built-ins only, for Node 20.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const EVERY_MS = { terminal: 1_000, file: 10_000 };
/** To the beginning of the line, and what stands there is gone. */
const CLEAR = '\r\x1b[K';

/**
 * The folders of the packages that package-lock.json puts on this machine, and of a few optional ones that it may leave
 * out; those for development only if wanted.
 */
export function packageFolders(lock, forDevelopment, { platform, arch } = process) {
  const { packages } = JSON.parse(readFileSync(lock, 'utf8'));
  const fits = (wanted, ours) => wanted === undefined || wanted.includes(ours);
  const isHere = ([path, { os, cpu, libc, link, dev }]) =>
    path !== '' && !link && (forDevelopment || !dev) && fits(os, platform) && fits(cpu, arch) && fits(libc, 'glibc');
  return Object.entries(packages)
    .filter(isHere)
    .map(([path]) => path);
}

/** How many of the folders hold a package already. */
export function installed(folders) {
  return folders.filter((path) => existsSync(join(path, 'package.json'))).length;
}

/**
 * Shows progress until it is stopped: a line that changes each second on a terminal, else a line each ten seconds.
 * Returns the function that stops it.
 */
export function showProgress({ total, count, output = process.stdout, now = Date.now, every = setInterval }) {
  const began = now();
  const isTerminal = output.isTTY === true;
  const show = () => {
    const line = `  ${count()} of about ${total} packages after ${Math.round((now() - began) / 1_000)} s`;
    output.write(isTerminal ? `${CLEAR}${line}` : `${line}\n`);
  };
  const timer = every(show, isTerminal ? EVERY_MS.terminal : EVERY_MS.file);
  return () => {
    clearInterval(timer);
    if (isTerminal) output.write(CLEAR);
  };
}
