import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { type HttpAdapter, StartError } from '../../platform/index.js';
import { accessRules } from './access.js';

/** A route as `npm run routes` shows it. */
export interface RouteListing {
  readonly method: string;
  readonly path: string;
  /** `none` for a handler without an access rule; a running server has none of those. */
  readonly access: string;
  readonly scopes: readonly string[];
}

interface Route extends RouteListing {
  readonly rules: number;
  /** Whether express would match a path to this route, if it were the first. */
  readonly takes: (path: string) => boolean;
}

/** The fields that the type of an express layer lacks. */
interface Matching {
  match(path: string): boolean;
}

/** The routes are not sound; the message lists every reason. */
export class RouteAuditError extends StartError {
  override name = 'RouteAuditError';
}

/** Refuses to start with a route that has no access rule, or that can never be reached. */
@Injectable()
export class RouteAudit implements OnApplicationBootstrap {
  constructor(private readonly host: HttpAdapterHost) {}

  onApplicationBootstrap(): void {
    const adapter = this.host.httpAdapter as HttpAdapter | undefined;
    if (!adapter) return; // an operator's command serves no routes
    const routes = routesOf(adapter);
    const problems = [...withoutOneRule(routes), ...shadowed(routes)];
    if (problems.length > 0) throw new RouteAuditError(`The routes are not sound:\n  ${problems.join('\n  ')}`);
  }
}

/** All routes of an initialised application, in their matching order. */
export function listRoutes(app: NestExpressApplication): RouteListing[] {
  return routesOf(app.getHttpAdapter() as HttpAdapter).map(({ method, path, access, scopes }) => {
    return { method, path, access, scopes };
  });
}

/** Nest copies a handler's metadata to the function that it registers. */
function routesOf(adapter: HttpAdapter): Route[] {
  return adapter.routes.stack.flatMap((layer) => {
    const { route } = layer;
    const handler = route?.stack[0]?.handle;
    if (!route || !handler) return [];
    const rules = accessRules(handler);
    const { kind: access, scopes } = rules[0] ?? { kind: 'none', scopes: [] };
    const takes = (path: string) => (layer as typeof layer & Matching).match(path);
    const methods = new Set(route.stack.map(({ method }) => method.toUpperCase()));
    return [...methods].map((method) => ({ method, path: route.path, access, scopes, rules: rules.length, takes }));
  });
}

function withoutOneRule(routes: readonly Route[]): string[] {
  return routes
    .filter(({ rules }) => rules !== 1)
    .map(
      ({ method, path, rules }) => `${method} ${path} has ${rules === 0 ? 'no access rule' : 'several access rules'}`,
    );
}

/**
 * A route is shadowed when an earlier one of its method matches every path of it. Patterns are compared only where the words
 * before their first parameter agree: comparing each with each takes a tenth of a start.
 */
function shadowed(routes: readonly Route[]): string[] {
  const earlier = new Map<string, (Route & { start: string })[]>();
  return routes.flatMap((route) => {
    const { method, path } = route;
    const before = earlier.get(method) ?? [];
    const sample = samplePath(path).toLowerCase();
    const by = before.find(({ start, takes }) => sample.startsWith(start) && takes(sample));
    before.push({ ...route, start: path.replace(/[:*{].*/, '').toLowerCase() });
    earlier.set(method, before);
    return by ? [`${method} ${path} is never reached: ${by.path} takes its paths`] : [];
  });
}

/** A path of the route, with values for its parameters that differ from all literal segments. */
function samplePath(path: string): string {
  return path.replace(/[{}]/g, '').replace(/\*\w+/g, '~/~').replace(/:\w+/g, '~');
}
