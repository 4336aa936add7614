import type { ModerationAction } from '../admin/index.js';
import { MediaBansService, MediaCleaningService } from '../media/index.js';
import { moveFiles, type MovedFiles, type MoveFilesOptions } from '../backup/index.js';
import {
  type Env,
  isBucketUrl,
  messageOf,
  openObjectStore,
  parseBucketUrl,
  placeOfFiles,
  requireOwnFiles,
  RunningServers,
} from '../platform/index.js';
import { command, CommandError, type Tools, UsageError } from './frame/command.js';
import { loggedOn } from './frame/logged.js';
import { counted, json, JSON_OPTION } from './frame/output.js';

const SHOWN = 1_000;
const URL = 'Its URL, or its address here.';

const banned = command({
  words: 'media proxy banned',
  summary: `Shows the newest ${SHOWN} files of other servers that are banned here.`,
  options: { query: { type: 'string', help: 'A part of the URL.' }, json: JSON_OPTION },
  example: 'media proxy banned --query spam.example',
  run: async (tools, _args, { query = '', json: asJson }) => {
    const page = await (await tools.services()).get(MediaBansService).page(query, SHOWN, 0);
    if (asJson) tools.print(json(page));
    else tools.print(...page.urls, `${counted(page.count, 'file is', 'files are')} banned.`);
  },
});

const ban = command({
  words: 'media proxy ban',
  summary: 'Bans a file of another server: it is not shown here any more.',
  parameters: { url: URL },
  example: 'media proxy ban https://other.example/picture.png',
  run: async (tools, { url }) => {
    await change(tools, 'media_proxy_ban', url, (bans) => bans.ban([url]));
    tools.print('The file is banned, and what was kept of it is removed.');
  },
});

const unban = command({
  words: 'media proxy unban',
  summary: 'Shows a banned file again.',
  parameters: { url: URL },
  example: 'media proxy unban https://other.example/picture.png',
  run: async (tools, { url }) => {
    await change(tools, 'media_proxy_unban', url, async (bans) => {
      if ((await bans.unban([url])) === 0) throw new CommandError(`${url} is not banned.`);
    });
    tools.print('The file is not banned.');
  },
});

const purge = command({
  words: 'media proxy purge',
  summary: 'Removes what is kept of a file of another server: it is fetched anew when somebody looks at it.',
  parameters: { url: URL },
  example: 'media proxy purge https://other.example/picture.png',
  run: async (tools, { url }) => {
    await change(tools, 'media_proxy_purge', url, (bans) => bans.purge([url]));
    tools.print('What was kept of the file is removed.');
  },
});

async function change(
  tools: Tools,
  action: ModerationAction,
  url: string,
  make: (bans: MediaBansService) => Promise<void>,
): Promise<void> {
  const services = await tools.services();
  await loggedOn(services, action, { type: 'file', id: url }, () => make(services.get(MediaBansService)));
}

const MOST = 10_000;
const ID = /^\d{1,18}$/;
const NUMBER = /^[1-9]\d{0,8}$/;

const clean = command({
  words: 'media clean',
  summary:
    'Cleans stored uploads again, one after the other, where an earlier release left more in them than this one does.',
  options: {
    after: { type: 'string', help: 'Goes on after this one, the last of an earlier run.' },
    count: { type: 'string', help: `How many are looked at; ${MOST} unless given.` },
  },
  example: 'media clean --after 1234',
  writesFiles: true,
  run: async (tools, _args, { after = '0', count = String(MOST) }) => {
    if (!ID.test(after) || !NUMBER.test(count)) throw new UsageError('--after is an id, and --count a number above 0.');
    const cleaning = (await tools.services()).get(MediaCleaningService);
    const { cleaned, looked, unreadable, last } = await cleaning.clean(after, Number(count));
    tools.print(`${cleaned} of ${counted(looked, 'upload was', 'uploads were')} cleaned.`);
    if (unreadable.length > 0) tools.print(`These cannot be read, and stay as they are: ${unreadable.join(', ')}`);
    if (last !== undefined) tools.print(`The last one is ${last}.`);
  },
});

const DISK = 'disk';
const STILL_USED = 'A server still stores its files elsewhere: let it use the target first, then remove the others.';
const NOT_SOURCE = 'A server does not use the source: nothing is removed from the target.';

const move = command({
  words: 'media move',
  summary:
    'Copies uploads, emoji, archives and web apps into a bucket, or from that of STORAGE_URL onto the disk, beside a server that runs; another run copies what came since.',
  parameters: { target: `s3://bucket/folder?endpoint=https://host, or ${DISK} for DATA_DIR.` },
  options: {
    from: { type: 'string', help: `The bucket to copy onto the ${DISK}, when STORAGE_URL does not name it any more.` },
    'remove-others': {
      type: 'boolean',
      help: 'Removes from the target, which the server does not use yet, what the source does not have.',
    },
    'remove-source': {
      type: 'boolean',
      help: 'Removes each file that is in the target, which the server uses by now.',
    },
  },
  example: 'media move "s3://files/svc?endpoint=https://s3.example"',
  run: async (tools, { target }, options) => {
    const { from, 'remove-source': removesSource = false, 'remove-others': removesOthers = false } = options;
    const { env, signal } = tools;
    const isToDisk = target === DISK;
    if (isToDisk) requireOwnFiles(env);
    const named = isToDisk ? from : target;
    const address = named === undefined ? env.storage : bucketOf(named);
    if (!address) throw new CommandError('There is nothing to copy: STORAGE_URL is not set, and no --from is given.');
    const place = (isBucket: boolean) => placeOfFiles({ ...env, storage: isBucket ? address : undefined });
    const moved = await moveFiles({
      env,
      store: openObjectStore(address, env),
      to: isToDisk ? 'disk' : 'bucket',
      isLive: await isInUse(tools, place(isToDisk), place(!isToDisk), { removesSource, removesOthers }),
      removesSource,
      removesOthers,
      signal,
      onProgress: (copied, same) => tools.print(`${counted(copied, 'file')} copied, ${same} there already …`),
    });
    tools.print(...linesOf(moved));
    const step = isToDisk ? 'remove STORAGE_URL' : 'set STORAGE_URL';
    if (!removesSource) tools.print(`Next: ${step}, restart, and run this again.`);
  },
});

function linesOf({ copied, same, others, newer, removed }: MovedFiles): string[] {
  return [
    `${counted(copied, 'file')} copied, ${same} there already.`,
    ...(others > 0 ? [`${counted(others, 'file')} removed that the source does not have.`] : []),
    ...(newer.length > 0 ? ['These are newer in the target, and stay as they are there:', ...newer] : []),
    ...(removed > 0 ? [`${counted(removed, 'file')} removed from the source.`] : []),
  ];
}

/**
 * Whether the server uses the target. Before anything is removed the servers that run tell where they store their files; when
 * none runs, the environment of this command does.
 * @throws CommandError when something would be removed and one of them does not use the side that is kept
 */
async function isInUse(
  tools: Tools,
  source: string,
  target: string,
  { removesSource, removesOthers }: Pick<MoveFilesOptions, 'removesSource' | 'removesOthers'>,
): Promise<boolean> {
  const asks = removesSource || removesOthers;
  const running = asks ? await (await tools.services()).get(RunningServers).places() : [];
  const used = running.length > 0 ? running : [placeOfFiles(tools.env)];
  if (removesSource && used.some((place) => place !== target)) throw new CommandError(STILL_USED);
  if (removesOthers && used.some((place) => place !== source)) throw new CommandError(NOT_SOURCE);
  return used.includes(target);
}

/** @throws UsageError when it is no address of a bucket */
function bucketOf(text: string): NonNullable<Env['storage']> {
  if (!isBucketUrl(text)) throw new UsageError(`Expected s3://…, or ${DISK} as the target.`);
  try {
    return parseBucketUrl(text);
  } catch (error) {
    throw new UsageError(`The address of the bucket: ${messageOf(error)}.`);
  }
}

export const mediaCommands = [banned, ban, unban, purge, clean, move];
