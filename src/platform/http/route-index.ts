import express, { type NextFunction, type Request, type RequestHandler, type Response, type Router } from 'express';

/** As Express's routers name them. */
export const ROUTE_METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'all'] as const;
export type RouteMethod = (typeof ROUTE_METHODS)[number];

interface Route {
  readonly method: RouteMethod;
  readonly path: string;
  readonly handler: RequestHandler;
}

/** The routes that end at a segment, those that take any path below it, and the segments below it. */
interface Segment {
  readonly ends: number[];
  readonly wildcards: number[];
  readonly literals: Map<string, Segment>;
  parameter: Segment | undefined;
}

/** A segment that is compared as it stands, and one that is a parameter as a whole; the rest is for Express. */
const LITERAL = /^[\w.@~-]+$/;
const PARAMETER = /^:\w+$/;

/**
 * Finds the few routes that a path may belong to in a tree of segments, instead of trying hundreds one after the other,
 * and leaves to a router of just these routes, in the order of their registration, what Express decides otherwise.
 */
export class RouteIndex {
  /** Every route, in the order of registration. */
  readonly all: Router = express.Router();
  private readonly routes: Route[] = [];
  private readonly root = newSegment();
  /** By the numbers of their routes: there are no more than combinations of routes that share a path. */
  private readonly routers = new Map<string, Router>();

  /** @param path in Express's notation */
  add(method: RouteMethod, path: string, handler: RequestHandler): void {
    this.all[method](path, handler);
    const number = this.routes.push({ method, path, handler }) - 1;
    let segment = this.root;
    for (const name of segmentsOf(path.toLowerCase())) {
      if (LITERAL.test(name)) segment = literalOf(segment, name);
      else if (PARAMETER.test(name)) segment = segment.parameter ??= newSegment();
      else {
        segment.wildcards.push(number);
        return;
      }
    }
    segment.ends.push(number);
  }

  /** Express middleware: runs the routes of the request. */
  readonly handle = (request: Request, response: Response, next: NextFunction): void => {
    const numbers: number[] = [];
    collect(this.root, segmentsOf(request.path.toLowerCase()), 0, numbers);
    if (numbers.length === 0) next();
    else this.routerOf(numbers.length > 1 ? numbers.sort((a, b) => a - b) : numbers)(request, response, next);
  };

  private routerOf(numbers: readonly number[]): Router {
    const key = numbers.join();
    let router = this.routers.get(key);
    if (!router) {
      router = express.Router();
      for (const number of numbers) {
        const route = this.routes[number];
        if (route) router[route.method](route.path, route.handler);
      }
      this.routers.set(key, router);
    }
    return router;
  }
}

function newSegment(): Segment {
  return { ends: [], wildcards: [], literals: new Map(), parameter: undefined };
}

function literalOf(segment: Segment, name: string): Segment {
  let next = segment.literals.get(name);
  if (!next) segment.literals.set(name, (next = newSegment()));
  return next;
}

/** Without the empty one before the first slash and the one behind a last slash, which Express overlooks. */
function segmentsOf(path: string): string[] {
  const segments = path.split('/');
  if (segments.at(-1) === '') segments.pop();
  return segments.slice(1);
}

function collect(segment: Segment, names: readonly string[], depth: number, numbers: number[]): void {
  numbers.push(...segment.wildcards);
  const name = names[depth];
  if (name === undefined) {
    numbers.push(...segment.ends);
    return;
  }
  const literal = segment.literals.get(name);
  if (literal) collect(literal, names, depth + 1, numbers);
  if (segment.parameter) collect(segment.parameter, names, depth + 1, numbers);
}
