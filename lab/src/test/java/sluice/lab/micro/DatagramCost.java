package sluice.lab.micro;

import java.util.Locale;
import sluice.base.net.Endpoint;
import sluice.base.os.DialOptions;
import sluice.base.os.ListenOptions;
import sluice.base.os.LoopDriver;
import sluice.linux.LinuxSystem;
import sluice.portable.PortableSystem;

/// What a datagram costs the loop, in nanoseconds: queued and flushed, received and copied out, on
/// loopback, one by one and in runs. The quietest of many rounds counts, because others use the
/// machine as well.
///
/// Arguments: bytes per datagram (1,200 unless given).
public final class DatagramCost {

    private static final int ROUNDS = 300;
    private static final int PER_ROUND = 1_280;

    private final LoopDriver driver;
    private final byte[] bytes;
    private final int server;
    private final int client;
    private long sendNanos;
    private long receiveNanos;

    private DatagramCost(LoopDriver driver, int size) {
        this.driver = driver;
        bytes = new byte[size];
        Endpoint any = Endpoint.parseOrNull("127.0.0.1:0");
        server = driver.bindDatagrams(any, ListenOptions.DEFAULT);
        Endpoint at = driver.localOf(server);
        client = driver.openDatagrams(at, at.address(), DialOptions.DEFAULT);
        driver.watch(server, 1);
    }

    /// Prints one line per driver and batch.
    public static void main(String[] arguments) {
        int size = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1200;
        for (int batch : new int[] {1, 2, 4, 16, 40}) {
            run("linux", new LinuxSystem().openLoop(), size, batch);
        }
        for (int batch : new int[] {1, 16}) {
            run("portable", new PortableSystem().openLoop(), size, batch);
        }
    }

    private static void run(String name, LoopDriver driver, int size, int batch) {
        try (driver) {
            DatagramCost cost = new DatagramCost(driver, size);
            long send = Long.MAX_VALUE;
            long receive = Long.MAX_VALUE;
            for (int round = 0; round < ROUNDS; round++) {
                cost.sendNanos = 0;
                cost.receiveNanos = 0;
                for (int i = 0; i < PER_ROUND / batch; i++) {
                    cost.pass(batch);
                }
                send = Math.min(send, cost.sendNanos);
                receive = Math.min(receive, cost.receiveNanos);
            }
            int count = PER_ROUND / batch * batch;
            System.out.printf(
                    Locale.ROOT,
                    "%-8s %,d bytes, %2d at once: send %,d ns, wait and receive %,d ns each%n",
                    name,
                    size,
                    batch,
                    send / count,
                    receive / count);
            driver.close(cost.server);
            driver.close(cost.client);
        }
    }

    private void pass(int batch) {
        long start = System.nanoTime();
        for (int i = 0; i < batch; i++) {
            driver.queueDatagram(client, null, null, bytes, 0, bytes.length);
        }
        driver.flushDatagrams();
        long sent = System.nanoTime();
        int left = batch;
        while (left > 0) {
            driver.await(-1);
            int count = driver.receiveDatagrams(server);
            while (count > 0) {
                for (int i = 0; i < count; i++) {
                    driver.copyDatagram(i, bytes, 0);
                }
                left -= count;
                count = driver.receiveDatagrams(server);
            }
        }
        sendNanos += sent - start;
        receiveNanos += System.nanoTime() - sent;
    }
}
