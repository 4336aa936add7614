import { Module } from '@nestjs/common';
import { InstanceActorController } from './instance-actor.controller.js';
import { RequestSigner } from './request-signer.js';
import { SigningKeyRepository } from './signing-key.repository.js';
import { SigningKeys } from './signing-keys.js';

/** Signing and verifying of requests between servers. */
@Module({
  controllers: [InstanceActorController],
  providers: [RequestSigner, SigningKeyRepository, SigningKeys],
  exports: [RequestSigner, SigningKeys],
})
export class SignaturesModule {}
