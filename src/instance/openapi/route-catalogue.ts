import { Injectable, RequestMethod, type Type } from '@nestjs/common';
import { HTTP_CODE_METADATA, METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import {
  type Access,
  accessOf,
  type Answer,
  answerOf,
  contentStatusOf,
  operationText,
  type OperationText,
  rateLimitsOf,
  takesFiles,
} from '../../common/index.js';

/** A route as its handler declares it. */
export interface ApiRoute {
  readonly method: string;
  /** In express syntax: `/api/v1/statuses/:id`. */
  readonly path: string;
  /** The module of the handler. */
  readonly module: string;
  /** Unique among all routes. */
  readonly id: string;
  /** Undefined for pages, files and what is only for other servers: the reference does not list them. */
  readonly text: OperationText | undefined;
  readonly access: ApiAccess;
  /** The request class, if there is one. */
  readonly input: Type<object> | undefined;
  readonly takesFiles: boolean;
  /** The status of a successful answer. */
  readonly status: number;
  /** The headers that the handler reads, in lower case. */
  readonly headers: readonly string[];
  readonly isRateLimited: boolean;
  /** The status of an answer to content that breaks a rule. */
  readonly contentStatus: number;
  /** Undefined until the handler declares it. */
  readonly answer: Answer | undefined;
}

type Handler = (...args: never[]) => unknown;

const NO_ACCESS: Access = { kind: 'public', scopes: [] };

type ApiAccess = Access & { readonly kind: Exclude<Access['kind'], 'session'> };

/** An operation of the reference. */
export type Operation = ApiRoute & { readonly text: OperationText };

/** Routes of this service's own API stand in the reference under their longer prefix only. */
const SHORTER_PREFIX = '/api/svc/';

/**
 * Every route of this server but the pages of signed-in people, under both prefixes where it has two, from the
 * declarations of its handlers.
 */
@Injectable()
export class RouteCatalogue {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** By module and path. */
  all(): ApiRoute[] {
    const routes = this.discovery.getControllers().flatMap(({ metatype, host }) => {
      if (typeof metatype !== 'function') return [];
      const module = words((host?.name ?? '').replace(/Module$/, ''))
        .trim()
        .replaceAll(' ', '-');
      return this.routesOf(metatype as Type<object>, module);
    });
    return routes.sort((a, b) => compare(a.module, b.module) || compare(a.path, b.path) || compare(a.method, b.method));
  }

  /** Those with a {@link OperationText}: operations that apps call. */
  operations(): Operation[] {
    return this.all().filter(isOperation);
  }

  private routesOf(controller: Type<object>, module: string): ApiRoute[] {
    const prototype = controller.prototype as Record<string, unknown>;
    const bases = pathsOf(controller);
    return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
      const handler = prototype[name];
      if (typeof handler !== 'function' || !Reflect.hasMetadata(PATH_METADATA, handler)) return [];
      const { access, ...rest } = declared(handler as Handler);
      if (!isOfApi(access)) return [];
      const group = controller.name.replace(/Controller$/, '');
      const contentStatus = contentStatusOf(handler, controller);
      const route = { module, ...rest, access, contentStatus, ...parametersOf(controller, name) };
      const paths = bases.flatMap((base) => pathsOf(handler).map((path) => joined(base, path)));
      return paths.map((path, at) => ({ ...route, path, id: `${group}.${name}${at === 0 ? '' : `.${at + 1}`}` }));
    });
  }
}

function isOperation(route: ApiRoute): route is Operation {
  return route.text !== undefined && !route.path.startsWith(SHORTER_PREFIX);
}

function isOfApi(access: Access): access is ApiAccess {
  return access.kind !== 'session';
}

function declared(handler: Handler) {
  return {
    method: RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod],
    access: accessOf(handler) ?? NO_ACCESS,
    takesFiles: takesFiles(handler),
    isRateLimited: rateLimitsOf(handler).length > 0,
    status: (Reflect.getMetadata(HTTP_CODE_METADATA, handler) as number | undefined) ?? 200,
    answer: answerOf(handler),
    text: operationText(handler),
  };
}

/** Finds the request class and the headers among the parameters of a handler. Nest stores them by kind and position. */
function parametersOf(controller: Type<object>, name: string): Pick<ApiRoute, 'input' | 'headers'> {
  const metadata: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name);
  const parameters = Object.entries((metadata ?? {}) as Record<string, { data?: unknown }>).map(([key, { data }]) => ({
    key,
    data,
  }));
  const input = parameters.find(({ data }) => typeof data === 'function')?.data as Type<object> | undefined;
  const headers = parameters.filter(({ key }) => key.startsWith(`${RouteParamtypes.HEADERS}:`));
  return { input, headers: headers.map(({ data }) => String(data)) };
}

function pathsOf(target: object): string[] {
  const paths = Reflect.getMetadata(PATH_METADATA, target) as string | string[];
  return Array.isArray(paths) ? paths : [paths];
}

function joined(base: string, path: string): string {
  return `/${[base, path]
    .map((part) => part.replace(/^\/+|\/+$/g, ''))
    .filter(Boolean)
    .join('/')}`;
}

/** `favouritedBy` as `favourited by`. */
function words(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
