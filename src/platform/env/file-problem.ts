import { userInfo } from 'node:os';
import { hasCode, StartError } from './errors.js';

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
  EEXIST: (path) => `${path} is a file, and a folder is needed there. Move it away, or name another folder.`,
};

/**
 * A failed access to a file or folder as a sentence with what to do; undefined for every other error, and for files
 * that are missing, which may be a fault of the program.
 */
export function fileProblem(error: unknown): StartError | undefined {
  if (!hasCode(error, ...Object.keys(PROBLEMS))) return undefined;
  const { code, path, dest } = error as { code: string; path?: unknown; dest?: unknown };
  const [place, sentence] = [path ?? dest, PROBLEMS[code]];
  return sentence && typeof place === 'string' ? new StartError(sentence(place), { cause: error }) : undefined;
}

/** The sentence on a full disk when the output of a program tells of one. */
export function fullDiskIn(output: string, path: string): StartError | undefined {
  return output.includes('No space left on device') ? new StartError(fullDisk(path)) : undefined;
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
