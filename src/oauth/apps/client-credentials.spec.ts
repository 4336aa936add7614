import { clientCredentials } from './client-credentials.js';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('the credentials of a client', () => {
  it('are read from HTTP Basic, each half encoded like a form', () => {
    expect(clientCredentials(basic('app%3A1:a+b%25'), {})).toEqual({ id: 'app:1', secret: 'a b%' });
    expect(clientCredentials(basic('app:50%'), {})).toEqual({ id: 'app', secret: '50%' });
    expect(clientCredentials(basic('app:a:b'), {})).toEqual({ id: 'app', secret: 'a:b' });
  });

  it('are read from the body otherwise', () => {
    expect(clientCredentials(undefined, { client_id: 'app', client_secret: 'x' })).toEqual({ id: 'app', secret: 'x' });
    expect(clientCredentials('Bearer x', { client_id: 'app' })).toEqual({ id: 'app', secret: '' });
    expect(clientCredentials('Basic ???', {})).toBeUndefined();
  });
});
