// Uses every library of which the server loads a part, the way the server does, and prints what came of it.
import { createServer } from 'node:http';
import '../../../dist/lean.js';

const { Metrics, Outbound } = await import('../../../dist/platform/index.js');
const { MemoryCounts } = await import('../../../dist/platform/redis/limit-counts.js');
const { RequiredText, sanitizeHtml } = await import('../../../dist/common/index.js');
const { readInput } = await import('../../../dist/common/input/input.js');
const { renderMarkdown } = await import('../../../dist/common/text/markdown.js');
const { Logger } = await import('@nestjs/common');

const say = (name, value) => console.log(`${name} ${JSON.stringify(value)}`);

const other = createServer((request, response) => response.end(request.headers['user-agent']));
await new Promise((listening) => other.listen(0, '127.0.0.1', listening));
const outbound = new Outbound({
  allowedPrivateAddresses: ['127.0.0.1'],
  baseUrl: 'http://here.test',
  version: '1',
});
const { status, body } = await outbound.fetch({ url: `http://127.0.0.1:${other.address().port}/` });
say('outbound', [status, body.toString()]);
await outbound.onApplicationShutdown();
other.close();

const metrics = new Metrics();
metrics.counter('things_total', 'Things').inc();
say('metrics', /^things_total.*$/m.exec((await metrics.render()).text)?.[0]);
metrics.onApplicationShutdown();

const counts = new MemoryCounts();
await counts.add('key', 60_000);
say('counts', (await counts.add('key', 60_000)).used);

say('html', sanitizeHtml('<p style="color: red" onclick="x()">a<script>b</script></p>'));
say('markdown', renderMarkdown('*a*'));

class Text {
  text;
}
RequiredText({ max: 5 })(Text.prototype, 'text');
say('input', readInput(Text, { text: 'a' }).text);
try {
  readInput(Text, {});
} catch (error) {
  say('refusal', error.message);
}
Logger.error('a line of Nest');
process.exit();
