package dev.graspsync.sync;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Asks for the addresses of a host name; may block for as long as a name server takes. */
@FunctionalInterface
interface HostLookup {

    InetAddress[] lookup(String host) throws UnknownHostException;
}
