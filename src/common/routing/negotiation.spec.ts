import express, { type Request } from 'express';
import { preferredType } from './negotiation.js';

const TYPES = ['html', 'json'];

function asking(headers: Record<string, string>): Request {
  return Object.assign(Object.create(express.request) as Request, { headers });
}

describe('preferredType', () => {
  it.each([
    [{ accept: '' }, 'html'],
    [{}, 'html'],
    [{ accept: 'application/json' }, 'json'],
    [{ accept: 'text/html;q=0.5, application/json' }, 'json'],
    [{ accept: 'image/png' }, false],
  ])('says the same for %j each time', (headers, expected) => {
    expect([preferredType(asking(headers), TYPES), preferredType(asking(headers), TYPES)]).toEqual([
      expected,
      expected,
    ]);
  });
});
