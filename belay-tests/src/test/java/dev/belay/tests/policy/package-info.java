/** Contract I: policies, guards, approvals and grants, across modules. */
@NullMarked
package dev.belay.tests.policy;

import org.jspecify.annotations.NullMarked;
