package sluice.lab.os;

import static org.assertj.core.api.Assertions.assertThat;
import static sluice.lab.os.TestLoop.endpoint;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.os.DialOptions;
import sluice.base.os.Errno;
import sluice.base.os.ListenOptions;
import sluice.base.os.LoopDriver;
import sluice.lab.os.SocketBehaviourTest.Named;

/// What every driver does with datagram sockets, whatever stands behind it.
@ParameterizedClass(name = "{0}")
@MethodSource("sluice.lab.os.SocketBehaviourTest#systems")
@Timeout(60)
final class DatagramBehaviourTest {

    @Parameter Named system;

    private TestLoop loop;
    private LoopDriver driver;

    /// A datagram as the test keeps it.
    private record Got(byte[] bytes, Endpoint peer, IpAddress local) {}

    @BeforeEach
    void open() {
        loop = new TestLoop(system.system());
        driver = loop.driver;
    }

    @AfterEach
    void close() {
        loop.close();
    }

    @Test
    void portZeroBecomesARealOne() {
        int socket = bind("127.0.0.1");

        assertThat(loop.local(socket).port()).isPositive();
        assertThat(loop.local(socket).address()).isEqualTo(IpAddress.LOOPBACK_V4);
        driver.close(socket);
    }

    @Test
    void datagramsGoBothWays() {
        int server = bind("127.0.0.1");
        int client = open(loop.local(server));

        send(client, null, random(1, 500));
        Got request = receive(server, 1).getFirst();
        send(server, request.peer(), random(2, 700));
        Got answer = receive(client, 1).getFirst();

        assertThat(request.bytes()).isEqualTo(random(1, 500));
        assertThat(answer.bytes()).isEqualTo(random(2, 700));
        assertThat(answer.peer()).isEqualTo(loop.local(server));
        closeAll(server, client);
    }

    @Test
    void anEmptyDatagramIsADatagram() {
        int server = bind("127.0.0.1");
        int client = open(loop.local(server));

        send(client, null, new byte[0]);
        Got request = receive(server, 1).getFirst();
        send(server, request.peer(), new byte[0]);
        Got answer = receive(client, 1).getFirst();

        assertThat(request.bytes()).isEmpty();
        assertThat(answer.bytes()).isEmpty();
        closeAll(server, client);
    }

    @Test
    void largeDatagramsStayWhole() {
        int server = bind("127.0.0.1");
        int client = open(loop.local(server));

        send(client, null, random(3, 60_000));
        send(client, null, random(4, 65_507));

        List<Got> got = receive(server, 2);
        assertThat(got.get(0).bytes()).isEqualTo(random(3, 60_000));
        assertThat(got.get(1).bytes()).isEqualTo(random(4, 65_507));
        closeAll(server, client);
    }

    @Test
    void whatIsTooLargeIsLostAndCounted() {
        int server = bind("127.0.0.1");
        int client = open(loop.local(server));

        send(client, null, new byte[65_508]);
        send(client, null, new byte[70_000]);
        send(client, null, random(5, 10));

        assertThat(driver.datagramsLost()).isEqualTo(2);
        assertThat(receive(server, 1).getFirst().bytes()).isEqualTo(random(5, 10));
        closeAll(server, client);
    }

    @Test
    void aQueueOfMixedSizesArrivesInOrder() {
        int server = bind("127.0.0.1");
        int client = open(loop.local(server));
        Random sizes = new Random(6);
        List<byte[]> sent = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            int size = i % 7 < 4 ? 1200 : sizes.nextInt(3000);
            sent.add(random(100 + i, size));
        }
        List<Got> got = new ArrayList<>();
        for (int i = 0; i < sent.size(); i++) {
            driver.queueDatagram(client, null, null, sent.get(i), 0, sent.get(i).length);
            if (i % 40 == 39) {
                driver.flushDatagrams();
                got.addAll(receive(server, 40));
            }
        }

        assertThat(got).hasSize(400);
        for (int i = 0; i < sent.size(); i++) {
            assertThat(got.get(i).bytes()).as("datagram " + i).isEqualTo(sent.get(i));
        }
        assertThat(driver.datagramsLost()).isZero();
        closeAll(server, client);
    }

    @Test
    void partsOfArraysAreSentAndReceived() {
        int server = bind("127.0.0.1");
        int client = open(loop.local(server));
        byte[] array = random(7, 100);

        driver.queueDatagram(client, null, null, array, 20, 30);
        driver.flushDatagrams();
        loop.awaitReady(server, LoopDriver.READABLE);
        assertThat(driver.receiveDatagrams(server)).isEqualTo(1);
        byte[] into = new byte[50];
        driver.copyDatagram(0, into, 10);

        assertThat(driver.datagramLength(0)).isEqualTo(30);
        for (int i = 0; i < 30; i++) {
            assertThat(into[10 + i]).isEqualTo(array[20 + i]);
        }
        assertThat(into[9]).isZero();
        assertThat(into[40]).isZero();
        closeAll(server, client);
    }

    @Test
    void peersAreToldApart() {
        int server = bind("127.0.0.1");
        int[] clients = new int[40];
        Set<Endpoint> expected = new HashSet<>();
        for (int i = 0; i < clients.length; i++) {
            clients[i] = bind("127.0.0.1");
            expected.add(loop.local(clients[i]));
            send(clients[i], loop.local(server), random(i, 100 + i));
        }

        Set<Endpoint> peers = new HashSet<>();
        for (Got got : receive(server, clients.length)) {
            peers.add(got.peer());
            send(server, got.peer(), got.bytes());
        }

        assertThat(peers).isEqualTo(expected);
        for (int i = 0; i < clients.length; i++) {
            assertThat(receive(clients[i], 1).getFirst().bytes()).isEqualTo(random(i, 100 + i));
        }
        closeAll(clients);
        driver.close(server);
    }

    @Test
    void aQueueMayChangeItsTargetAndItsSocket() {
        int first = bind("127.0.0.1");
        int second = bind("127.0.0.1");
        int one = bind("127.0.0.1");
        int two = bind("127.0.0.1");
        for (int i = 0; i < 10; i++) {
            byte[] bytes = random(i, 64);
            int socket = i < 6 ? one : two;
            int target = i % 2 == 0 ? first : second;
            driver.queueDatagram(socket, loop.local(target), null, bytes, 0, bytes.length);
        }
        driver.flushDatagrams();

        List<Got> atFirst = receive(first, 5);
        List<Got> atSecond = receive(second, 5);

        for (int i = 0; i < 10; i++) {
            Got got = (i % 2 == 0 ? atFirst : atSecond).get(i / 2);
            assertThat(got.bytes()).isEqualTo(random(i, 64));
            assertThat(got.peer()).isEqualTo(loop.local(i < 6 ? one : two));
        }
        closeAll(first, second, one, two);
    }

    @Test
    void aDialledSocketHearsItsPeerOnly() {
        int server = bind("127.0.0.1");
        int stranger = bind("127.0.0.1");
        int client = open(loop.local(server));
        send(client, null, random(1, 10));
        Endpoint clientAt = receive(server, 1).getFirst().peer();

        send(stranger, clientAt, random(2, 10));
        send(server, clientAt, random(3, 10));

        assertThat(receive(client, 1).getFirst().bytes()).isEqualTo(random(3, 10));
        loop.collect(0);
        assertThat(driver.receiveDatagrams(client)).isEqualTo(-Errno.EAGAIN);
        closeAll(server, stranger, client);
    }

    @Test
    void aPeerThatRefusesBreaksNothing() {
        int server = bind("127.0.0.1");
        Endpoint at = loop.local(server);
        int client = open(at);
        driver.close(server);
        loop.collect(0);

        for (int i = 0; i < 5; i++) {
            send(client, null, random(i, 20));
            loop.collect(20_000_000L);
            assertThat(driver.receiveDatagrams(client)).isEqualTo(-Errno.EAGAIN);
        }
        int again = driver.bindDatagrams(at, ListenOptions.DEFAULT);
        loop.watch(again);
        send(client, null, random(9, 20));
        Got request = receive(again, 1).getFirst();
        send(again, request.peer(), random(10, 20));

        assertThat(request.bytes()).isEqualTo(random(9, 20));
        assertThat(receive(client, 1).getFirst().bytes()).isEqualTo(random(10, 20));
        assertThat(driver.datagramsLost()).isZero();
        closeAll(again, client);
    }

    @Test
    void anIpv6WildcardServesBothFamiliesAndAnswersFromTheAddressAsked() {
        int server = driver.bindDatagrams(endpoint("[::]:0"), ListenOptions.DEFAULT);
        Assumptions.assumeTrue(server >= 0, "no IPv6 here");
        loop.watch(server);
        int port = loop.local(server).port();
        for (String target : List.of("127.0.0.1:", "127.0.0.9:", "[::1]:")) {
            Endpoint asked = endpoint(target + port);
            int client = driver.openDatagrams(null, asked.address(), DialOptions.DEFAULT);
            loop.watch(client);

            send(client, asked, random(1, 33));
            Got request = receive(server, 1).getFirst();
            byte[] answer = random(2, 44);
            driver.queueDatagram(server, request.peer(), request.local(), answer, 0, 44);
            driver.flushDatagrams();
            Got reply = receive(client, 1).getFirst();

            assertThat(request.peer().address().isV4()).isEqualTo(asked.address().isV4());
            assertThat(reply.bytes()).isEqualTo(answer);
            if (request.local() != null) {
                assertThat(request.local()).isEqualTo(asked.address());
                assertThat(reply.peer()).isEqualTo(asked);
            }
            driver.close(client);
        }
        driver.close(server);
    }

    @Test
    void aPortInUseIsRefused() {
        int socket = bind("127.0.0.1");

        int second = driver.bindDatagrams(loop.local(socket), ListenOptions.DEFAULT);

        assertThat(second).isEqualTo(-Errno.EADDRINUSE);
        driver.close(socket);
    }

    @Test
    void aTargetOfAnotherFamilyIsLostAndCounted() {
        int socket = bind("127.0.0.1");

        send(socket, endpoint("[::1]:9"), random(1, 10));

        assertThat(driver.datagramsLost()).isEqualTo(1);
        driver.close(socket);
    }

    @Test
    void moreThanABatchIsReceivedWithoutAnotherEvent() {
        int server = bind("127.0.0.1");
        int client = open(loop.local(server));
        for (int i = 0; i < 100; i++) {
            send(client, null, random(i, 100 + i));
        }
        loop.awaitReady(server, LoopDriver.READABLE);
        int total = 0;
        int count = driver.receiveDatagrams(server);
        while (count > 0) {
            total += count;
            count = driver.receiveDatagrams(server);
        }

        assertThat(count).isEqualTo(-Errno.EAGAIN);
        assertThat(total).isEqualTo(100);
        send(client, null, random(1, 5));
        assertThat(receive(server, 1).getFirst().bytes()).isEqualTo(random(1, 5));
        closeAll(server, client);
    }

    private int bind(String address) {
        int socket = driver.bindDatagrams(endpoint(address + ":0"), ListenOptions.DEFAULT);
        assertThat(socket).as("bind").isNotNegative();
        loop.watch(socket);
        return socket;
    }

    private int open(Endpoint to) {
        int socket = driver.openDatagrams(to, to.address(), DialOptions.DEFAULT);
        assertThat(socket).as("open").isNotNegative();
        loop.watch(socket);
        return socket;
    }

    private void send(int socket, Endpoint to, byte[] bytes) {
        driver.queueDatagram(socket, to, null, bytes, 0, bytes.length);
        driver.flushDatagrams();
    }

    private List<Got> receive(int socket, int count) {
        List<Got> all = new ArrayList<>();
        while (all.size() < count) {
            int batch = driver.receiveDatagrams(socket);
            if (batch == -Errno.EAGAIN) {
                loop.awaitReady(socket, LoopDriver.READABLE);
                continue;
            }
            assertThat(batch).as("receive datagrams").isPositive();
            for (int i = 0; i < batch; i++) {
                byte[] bytes = new byte[driver.datagramLength(i)];
                driver.copyDatagram(i, bytes, 0);
                all.add(new Got(bytes, driver.datagramPeer(i), driver.datagramLocal(i)));
            }
        }
        assertThat(all).hasSize(count);
        return all;
    }

    private void closeAll(int... sockets) {
        for (int socket : sockets) {
            driver.close(socket);
        }
    }

    private static byte[] random(long seed, int count) {
        byte[] bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
