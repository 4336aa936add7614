import { translatorOf } from '../common/index.js';
import { OnlineChecksService } from '../instance/index.js';
import type { Services } from './frame/command.js';
import type { Finding } from './frame/finding.js';

/** The checks of the server from outside, with their English names; warnings count as problems. */
export async function* examineOnline(services: Services): AsyncGenerator<Finding> {
  const english = translatorOf('en');
  for await (const { check, problems } of services.get(OnlineChecksService).examine())
    yield { check: english.text(`online.${check}`), problems: problems.map(({ text }) => String(text)), fixed: false };
}
