import { Note, Person, PUBLIC_COLLECTION } from '@fedify/vocab';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FedifyPeer } from '../support/federation/fedify-peer.js';
import { type Member, type Server, startServer } from '../support/federation/servers.js';
import { freePort } from '../support/servers/listen.js';

/** How Fedify signs what it sends first: it tries the other way when that is refused. */
describe.each(['rfc9421', 'draft-cavage-http-signatures-12'] as const)('a Fedify server that signs by %s', (spec) => {
  let fay: FedifyPeer;
  let server: Server;
  let alice: Member;

  beforeAll(async () => {
    fay = await FedifyPeer.start(spec);
    server = await startServer(await freePort(), [Number(new URL(fay.url).port)]);
    alice = await server.member('alice');
  });
  afterAll(async () => {
    await server.close();
    await fay.close();
  });

  it('reads our actor', async () => {
    const actor = await fay.lookup(alice.uri);
    expect(actor).toBeInstanceOf(Person);
    const person = actor as Person;
    expect(String(person.preferredUsername)).toBe('alice');
    expect(person.inboxId?.href).toBe(`${alice.uri}/inbox`);
    expect(person.endpoints?.sharedInbox?.href).toBe(`${server.url}/inbox`);
    expect(person.manuallyApprovesFollowers).toBe(false);
    const key = await person.getPublicKey();
    expect(key?.ownerId?.href).toBe(alice.uri);
  });

  it('reads our public posts', async () => {
    const { uri } = await alice.write('tea at five');
    const note = await fay.lookup(uri);
    expect(note).toBeInstanceOf(Note);
    expect((note as Note).attributionId?.href).toBe(alice.uri);
    expect((note as Note).toIds).toEqual([PUBLIC_COLLECTION]);
  });
});
