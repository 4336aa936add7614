import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Express } from 'express';
import { FixedHeaders, type FixedHeadersAnswer, NO_HEADERS } from './fixed-headers.js';

/** The classes of the requests and answers of one server. */
export interface ExchangeClasses {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

/** What `writeHead` of Node calls with the first line of an answer and the headers that were set; it writes their text. */
interface HeadWriter {
  _storeHeader(statusLine: string, headers: unknown): void;
}

type Args<Name extends keyof ServerResponse> = Parameters<Extract<ServerResponse[Name], (...args: never) => unknown>>;

export function newExchangeClasses(): ExchangeClasses {
  class Request extends IncomingMessage {}
  class PlainAnswer<T extends IncomingMessage> extends ServerResponse<T> {}
  const Answer = answerClass();
  return { IncomingMessage: Request, ServerResponse: sendsFixedHeaders(Answer) ? Answer : PlainAnswer };
}

/** Answers with fixed headers, which are sent behind the status line. Whoever sets one of them sets it for this answer. */
function answerClass(): typeof ServerResponse {
  const node = ServerResponse.prototype as unknown as HeadWriter;

  class Answer<T extends IncomingMessage> extends ServerResponse<T> implements FixedHeadersAnswer {
    fixedHeaders = NO_HEADERS;

    override setHeader(...[name, value]: Args<'setHeader'>): this {
      this.fixedHeaders = this.fixedHeaders.without(name);
      return super.setHeader(name, value);
    }

    override appendHeader(...[name, value]: Args<'appendHeader'>): this {
      this.setFixed();
      return super.appendHeader(name, value);
    }

    override removeHeader(name: string): void {
      this.fixedHeaders = this.fixedHeaders.without(name);
      super.removeHeader(name);
    }

    override getHeader(name: string): ReturnType<ServerResponse['getHeader']> {
      return this.fixedHeaders.get(name) ?? super.getHeader(name);
    }

    override hasHeader(name: string): boolean {
      return this.fixedHeaders.get(name) !== undefined || super.hasHeader(name);
    }

    override getHeaders(): ReturnType<ServerResponse['getHeaders']> {
      return Object.assign(super.getHeaders(), this.fixedHeaders.byName);
    }

    override getHeaderNames(): string[] {
      return Object.keys(this.getHeaders());
    }

    override writeHead(...args: unknown[]): this {
      if (args.length > 1) this.setFixed(); // headers among the arguments may change them
      return (super.writeHead as (...args: unknown[]) => this)(...args);
    }

    _storeHeader(statusLine: string, headers: unknown): void {
      node._storeHeader.call(this, statusLine + this.fixedHeaders.text, headers);
    }

    /** Makes the fixed headers headers like all others. */
    private setFixed(): void {
      const { entries } = this.fixedHeaders;
      this.fixedHeaders = NO_HEADERS;
      for (const [name, value] of entries) super.setHeader(name, value);
    }
  }
  return Answer;
}

/** Whether this Node writes heads as {@link HeadWriter} says: otherwise each header is set, which is only slower. */
function sendsFixedHeaders(answers: typeof ServerResponse): boolean {
  const answer = new answers(new IncomingMessage(new Socket())) as ServerResponse & FixedHeadersAnswer;
  answer.fixedHeaders = new FixedHeaders([['X-Fixed', 'sent']]);
  answer.writeHead(200);
  const { _header: head } = answer as unknown as { _header?: unknown };
  return typeof head === 'string' && head.includes('\r\nX-Fixed: sent\r\n');
}

/**
 * Gives requests and answers the methods of an Express application when they are made. Express would change the prototype
 * of each of them, which takes a tenth of the CPU of a small answer (docs/adr/0030).
 */
export function joinApplication(app: Express, classes: ExchangeClasses): void {
  app.request = below(app.request, classes.IncomingMessage.prototype);
  app.response = below(app.response, classes.ServerResponse.prototype);
}

/** The prototype of a class, with the members of another prototype of the same base class. */
function below<T extends object>(base: T, prototype: object): T {
  return Object.setPrototypeOf(prototype, base) as T;
}
