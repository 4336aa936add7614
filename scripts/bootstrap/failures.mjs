// Says in a sentence why the packages or the build cannot be written, and what to do. Built-ins only, for Node 20.
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';

const AGAIN = 'then run the same command again';

const NETWORK =
  /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|EIDLETIMEOUT|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT)$/;
const CERTIFICATE = /^(SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_\w+|CERT_\w+)/;

const PLACES = {
  EACCES: (path) =>
    `The user ${us()} may not write ${path}. Start as the owner of this folder, or give it to this user`,
  EPERM: (path) => `The system does not let the user ${us()} write ${path}. Check who owns it`,
  EROFS: (path) => `${path} is on a file system that is read-only. Mount it for writing, or copy the program elsewhere`,
  ENOSPC: (path) => `There is no room for ${path} on its disk. Free some space`,
  EDQUOT: (path) => `The quota of the user ${us()} has no room for ${path}. Free some space`,
  ENOTDIR: (path) => `${path} leads through a file where a folder is needed. Move the file away`,
  EEXIST: (path) => `${path} is a file, and a folder is needed there. Move it away`,
};

/** The sentence for a failure with this code of Node.js or npm; undefined for codes that need their own text. */
export function sentenceOn({ code = '', path = '', registry = 'the registry' }) {
  if (NETWORK.test(code))
    return `The packages cannot be fetched: ${registry} does not answer (${code}). Check the network, or name a registry or a proxy that answers (npm config set registry <address>, HTTPS_PROXY=<address>), ${AGAIN}.`;
  if (CERTIFICATE.test(code))
    return `The packages cannot be fetched: the certificate of ${registry} is not trusted (${code}). Name a file with the certificate of its issuer (NODE_EXTRA_CA_CERTS=<file>), ${AGAIN}.`;
  return Object.hasOwn(PLACES, code) ? `${PLACES[code](path)}, ${AGAIN}.` : undefined;
}

/** The facts in what npm 9 or newer writes to its standard error. */
export function failureOf(text) {
  const line = (pattern) => new RegExp(`^npm (?:error|ERR!) ${pattern}`, 'm').exec(text)?.[1];
  const address = /request to (https?:\/\/[^/\s]+)\S* failed/.exec(text)?.[1];
  return {
    code: line('code (\\S+)'),
    path: line('path (.+)'),
    ...(address === undefined ? {} : { registry: address }),
    log: /found in:\s*(?:npm (?:error|ERR!)\s*)?([^\s,]+)/.exec(text)?.[1],
  };
}

/** Whether the code of a failure is one of the network: a registry that does not answer. */
export function isOfNetwork({ code = '' }) {
  return NETWORK.test(code);
}

/**
 * Ends the process with a sentence when a folder cannot be written, or when it has too little room. What is in it makes room
 * for its replacement, unless `adds` says that it stays.
 */
export function requireRoom(folder, megabytes, { adds = false } = {}) {
  const path = resolve(folder);
  try {
    mkdirSync(path, { recursive: true });
    const probe = join(path, `.svc-probe-${process.pid}`);
    writeFileSync(probe, 'x');
    rmSync(probe);
    const { bavail, bsize } = statfsSync(path);
    if ((adds || readdirSync(path).length === 0) && bavail * bsize < megabytes * 1e6)
      throw Object.assign(new Error(), { code: 'ENOSPC', path: `${path} (${megabytes} MB)` });
  } catch (error) {
    endWith(Object.assign(error, { path: error.path ?? path })); // an error of writing names no path
  }
}

/** Ends the process with the sentence on an error of the system; throws all others. */
export function endWith(error) {
  const sentence = sentenceOn({ code: error.code, path: error.path ?? error.dest });
  if (sentence === undefined) throw error;
  console.error(sentence);
  process.exit(1);
}

function us() {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.()); // an id without a name
  }
}
