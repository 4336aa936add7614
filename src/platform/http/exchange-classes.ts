import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** The classes of the requests and answers of one server. */
export interface ExchangeClasses {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

export function newExchangeClasses(): ExchangeClasses {
  class Request extends IncomingMessage {}
  class Answer<T extends IncomingMessage = IncomingMessage> extends ServerResponse<T> {}
  return { IncomingMessage: Request, ServerResponse: Answer };
}

/**
 * Gives requests and answers the methods of an Express application when they are made. Express would change the prototype
 * of each of them, which takes 6 % of the CPU of a small answer (docs/adr/0030).
 */
export function joinApplication(app: Express, classes: ExchangeClasses): void {
  app.request = below(app.request, classes.IncomingMessage.prototype);
  app.response = below(app.response, classes.ServerResponse.prototype);
}

/** The prototype of a class, with the members of another prototype of the same base class. */
function below<T extends object>(base: T, prototype: object): T {
  return Object.setPrototypeOf(prototype, base) as T;
}
