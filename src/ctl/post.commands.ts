import { AdminStatusesService, OPERATOR } from '../admin/index.js';
import { extensionOf } from '../common/index.js';
import { Brand } from '../platform/index.js';
import { ModeratedStatusesService, type StatusJson, StatusView } from '../statuses/index.js';
import { command, CommandError, type Services, UsageError } from './frame/command.js';
import { json, JSON_OPTION, valueLines } from './frame/output.js';
import { requireFound } from './frame/require.js';

const POST = 'Its id, the address of its page here, or its id on the network (https://…).';

const show = command({
  words: 'post show',
  summary: 'Shows a post of any account and visibility.',
  parameters: { post: POST },
  options: { json: JSON_OPTION },
  example: 'post show https://social.example/notice/AzyTUnLu6nm1tNn7J2',
  run: async (tools, { post }, options) => {
    const services = await tools.services();
    const found = await requirePost(services, post);
    if (options.json) tools.print(json(found));
    else tools.print(...valueLines(factsOf(found)), '', textOf(found, services.get(Brand)) || '(no text)');
  },
});

const set = command({
  words: 'post set',
  summary: 'Changes who sees a post, or marks it as sensitive.',
  parameters: { post: POST },
  options: {
    visibility: { type: 'string', help: 'public, unlisted or private (for followers).' },
    sensitive: { type: 'boolean', help: 'Whether its files are behind a warning.', negatable: true },
  },
  example: 'post set AzyTUnLu6nm1tNn7J2 --visibility unlisted --sensitive',
  run: async (tools, { post }, { visibility, sensitive }) => {
    if (visibility === undefined && sensitive === undefined)
      throw new UsageError('"post set" needs at least one option.');
    const services = await tools.services();
    const { id } = await requirePost(services, post);
    await services.get(AdminStatusesService).change(OPERATOR, id, { visibility, sensitive });
    const changed = await requirePost(services, id);
    tools.print(`${id}: ${changed.visibility}, ${changed.sensitive ? 'sensitive' : 'not sensitive'}`);
  },
});

const remove = command({
  words: 'post delete',
  summary: 'Deletes a post of any account with its files, for good.',
  parameters: { post: POST },
  options: { yes: { type: 'boolean', help: 'Delete it; without, only says what would be deleted.' } },
  example: 'post delete AzyTUnLu6nm1tNn7J2 --yes',
  run: async (tools, { post }, { yes = false }) => {
    const services = await tools.services();
    const { id, account, uri } = await requirePost(services, post);
    const named = `the post ${id} of @${account.acct} (${uri})`;
    if (!yes) throw new CommandError(`Nothing was deleted. With --yes ${named} is deleted for good.`);
    await services.get(AdminStatusesService).delete(OPERATOR, id);
    tools.print(`Deleted ${named}.`);
  },
});

export const postCommands = [show, set, remove];

async function requirePost(services: Services, post: string): Promise<StatusJson> {
  const statuses = services.get(ModeratedStatusesService);
  const found = async () => statuses.byId(await statuses.idOf(post), undefined);
  const row = await requireFound(`post ${post} here`, found());
  const [status] = await services.get(StatusView).objects([row], { viewerId: '' });
  if (!status) throw new CommandError(`There is no post ${post} here.`);
  return status;
}

/** A boost has no text of its own. */
function textOf(post: StatusJson, { word }: Brand): string {
  const own = extensionOf<StatusJson['svc']>(post, word);
  if ('content' in own) return own.content['text/plain'];
  return post.reblog ? `boost of ${post.reblog.uri}` : '';
}

function factsOf(post: StatusJson) {
  return {
    id: post.id,
    author: `@${post.account.acct}`,
    created_at: post.created_at,
    visibility: post.visibility,
    sensitive: post.sensitive,
    warning: post.spoiler_text || null,
    files: post.media_attachments.length,
    replies: post.replies_count,
    boosts: post.reblogs_count,
    favourites: post.favourites_count,
    url: post.url,
    uri: post.uri,
  };
}
