import { parseUrl } from '../urls/urls.js';
import { errorTypeOf, type Tracing } from '../tracing/tracing.js';
import { runWork, currentWork } from '../tracing/work.js';
import type { OutboundRequest } from './outbound.js';

const CLIENT_ERROR = 400;

/**
 * Makes a request to another server a span of the work that asks: host, method and status; not the path, which names people.
 * The other server learns nothing of the trace.
 */
export async function asSpan<Answer extends { readonly status: number }>(
  tracing: Tracing,
  { url, method = 'GET' }: OutboundRequest,
  send: () => Promise<Answer>,
): Promise<Answer> {
  if (!tracing.isOn) return send();
  const { hostname, port } = parseUrl(url) ?? { hostname: '', port: '' };
  const address = { 'server.address': hostname, ...(port !== '' && { 'server.port': Number(port) }) };
  const attributes = { 'http.request.method': method, ...address };
  const span = tracing.beginWithin({ name: method, kind: 'client', attributes });
  if (!span) return send();
  try {
    const answer = await runWork({ requestId: currentWork()?.requestId, span }, send);
    span.set({ 'http.response.status_code': answer.status });
    if (answer.status >= CLIENT_ERROR) span.fail(String(answer.status));
    return answer;
  } catch (error) {
    span.fail(errorTypeOf(error));
    throw error;
  } finally {
    span.end();
  }
}
