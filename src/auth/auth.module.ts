import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AdminEventsRepository } from './admin-events.repository.js';
import { AdminGuard } from './admin.guard.js';
import { AuditLog } from './audit-log.service.js';

/** The admin's door, and the log of what was done behind it. Whatever declares no role is closed. */
@Module({
  providers: [{ provide: APP_GUARD, useClass: AdminGuard }, AdminEventsRepository, AuditLog],
  exports: [AuditLog],
})
export class AuthModule {}
