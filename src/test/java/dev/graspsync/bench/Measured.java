package dev.graspsync.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.graspsync.process.ServiceProcess;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How long a number of things took, and what both processes spent of the cores on them. */
record Measured(long things, Duration time, Duration client, Duration service) {

    /** What is measured. */
    interface Work {
        void run() throws Exception;
    }

    static Measured of(long things, @Nullable ServiceProcess service, Work work) throws Exception {
        Duration clientBefore = clientCpu();
        Duration serviceBefore = service == null ? Duration.ZERO : service.cpu();
        long start = System.nanoTime();
        work.run();
        Duration time = Duration.ofNanos(System.nanoTime() - start);
        return new Measured(
                things,
                time,
                clientCpu().minus(clientBefore),
                service == null ? Duration.ZERO : service.cpu().minus(serviceBefore));
    }

    /** The same, with another process in the place of this one. */
    Measured withClient(Supplier<Duration> cpu) {
        return new Measured(things, time, cpu.get(), service);
    }

    private static Duration clientCpu() {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return Duration.ofNanos(system.getProcessCpuTime());
    }

    double perSecond() {
        return things * 1e9 / time.toNanos();
    }

    /**
     * Microseconds of a core for each thing, of both processes together. Where others use the machine too, ratios of this
     * hold still while those of the clock do not.
     */
    double coreMicros() {
        return client.plus(service).toNanos() / 1e3 / things;
    }

    /** Where the processors' time went: microseconds of a core for each thing, and the share both had of all cores. */
    String cores() {
        double all = time.toNanos() * (double) Runtime.getRuntime().availableProcessors();
        return "service %.1f µs each, %.0f %% of the cores; client %.1f µs, %.0f %%"
                .formatted(
                        service.toNanos() / 1e3 / things,
                        100 * service.toNanos() / all,
                        client.toNanos() / 1e3 / things,
                        100 * client.toNanos() / all);
    }
}
