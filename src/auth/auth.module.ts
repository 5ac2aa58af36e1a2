import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AccountResolver } from './account.resolver.js';
import { Account } from './account.service.js';
import { AdminEventsRepository } from './admin-events.repository.js';
import { AdminGuard } from './admin.guard.js';
import { AuditLog } from './audit-log.service.js';
import { Credentials } from './credentials.js';
import { IntrospectionPlugin } from './introspection.plugin.js';
import { SignInAttemptsRepository } from './sign-in-attempts.repository.js';
import { SignInLimit } from './sign-in-limit.service.js';
import { SignIn } from './sign-in.service.js';
import { SignInWorker } from './sign-in.worker.js';
import { UserSessionsRepository } from './user-sessions.repository.js';
import { UserTokensRepository } from './user-tokens.repository.js';
import { UsersRepository } from './users.repository.js';
import { UsersResolver } from './users.resolver.js';
import { UsersService } from './users.service.js';

/** The admin's door, and the log of what was done behind it. Whatever declares no role is closed. */
@Module({
  providers: [
    { provide: APP_GUARD, useClass: AdminGuard },
    AdminEventsRepository,
    AuditLog,
    Credentials,
    IntrospectionPlugin,
    UsersRepository,
    UserSessionsRepository,
    UserTokensRepository,
    SignInAttemptsRepository,
    SignInLimit,
    SignIn,
    SignInWorker,
    UsersService,
    Account,
    UsersResolver,
    AccountResolver,
  ],
  exports: [AuditLog, SignIn, UsersService],
})
export class AuthModule {}
