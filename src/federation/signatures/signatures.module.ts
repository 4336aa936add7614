import { Module } from '@nestjs/common';
import { InstanceActorController } from './instance-actor.controller.js';
import { InstanceActors } from './instance-actors.js';
import { KeyDocuments } from './key-documents.port.js';
import { RemoteKeyRepository } from './remote-key.repository.js';
import { RemoteKeys } from './remote-keys.js';
import { RequestSigner } from './request-signer.js';
import { SignatureVerifier } from './signature-verifier.js';
import { SigningKeyRepository } from './signing-key.repository.js';
import { SigningKeys } from './signing-keys.js';

/** Signing and verifying of requests between servers. */
@Module({
  controllers: [InstanceActorController],
  providers: [
    InstanceActors,
    KeyDocuments,
    RemoteKeyRepository,
    RemoteKeys,
    RequestSigner,
    SignatureVerifier,
    SigningKeyRepository,
    SigningKeys,
  ],
  exports: [InstanceActors, KeyDocuments, RemoteKeys, RequestSigner, SignatureVerifier, SigningKeys],
})
export class SignaturesModule {}
