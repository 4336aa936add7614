import { statfs } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { hasCode, StartError } from './errors.js';

/** With less than that, PostgreSQL does not start. */
const LEAST_BYTES = 64 * 1024;

/** What the operator does about a file or folder that the system refuses, by the code of the error. */
const PROBLEMS: Readonly<Record<string, (path: string) => string>> = {
  EACCES: (path) =>
    `The user ${us()} may not use ${path}. Give the folder to this user (chown -R), or name another one that belongs to it.`,
  EPERM: (path) => `The system does not let the user ${us()} change ${path}. Check who owns it and how it is mounted.`,
  EROFS: (path) => `${path} is on a file system that is read-only. Mount it for writing, or name another folder.`,
  ENOSPC: fullDisk,
  EDQUOT: (path) =>
    `The quota of the user ${us()} is used up: ${path} could not be written. Free some space or raise it.`,
  ENOTDIR: (path) => `${path} leads through a file where a folder is needed. Name another folder.`,
  EISDIR: (path) => `${path} is a folder, and a file is needed there. Move it away, or name another file.`,
  ELOOP: (path) => `${path} is a link that leads back to itself. Remove it, or name another place.`,
  ENAMETOOLONG: (path) => `${path} is a longer name than the system allows. Name another place.`,
  EEXIST: (path) => `${path} is a file, and a folder is needed there. Move it away, or name another folder.`,
};

/**
 * A failed access to a file or folder as a sentence with what to do; undefined for every other error, and for files
 * that are missing, which may be a fault of the program.
 */
export function fileProblem(error: unknown): StartError | undefined {
  if (!hasCode(error, ...Object.keys(PROBLEMS))) return undefined;
  const { path, dest } = error as { path?: unknown; dest?: unknown };
  const place = path ?? dest;
  return typeof place === 'string' ? problemAt(place, error) : undefined;
}

/** The same for a file that the operator names and the program reads: it may be missing, or be a folder. */
export function readProblem(path: string, error: unknown): StartError | undefined {
  return hasCode(error, 'ENOENT') ? new StartError(`There is no ${path}.`, { cause: error }) : problemAt(path, error);
}

function problemAt(path: string, error: unknown): StartError | undefined {
  const sentence = PROBLEMS[(error as { readonly code: string }).code];
  return sentence && new StartError(sentence(path), { cause: error });
}

/** The sentence on a full disk when the output of a program tells of one. */
export function fullDiskIn(output: string, path: string): StartError | undefined {
  return output.includes('No space left on device') ? new StartError(fullDisk(path)) : undefined;
}

/** The same sentence when a folder has next to no room: a program whose log lies there says nothing then. */
export async function fullDiskAt(folder: string): Promise<StartError | undefined> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize < LEAST_BYTES ? new StartError(fullDisk(folder)) : undefined;
}

function fullDisk(path: string): string {
  return `The disk is full: ${path} could not be written. Free some space, or name a folder on another disk.`;
}

function us(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'of this process'); // an id without a name
  }
}
