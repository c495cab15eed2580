/* The fastest fan-out, as a limit for benchmarks: one thread, epoll, and one send() of ready bytes per member of a table.
 *
 * A connection begins with five bytes: 'J' and a table's number (32 bits, little-endian) to join the table, or 'P' and four
 * ignored bytes to publish. A publisher then writes records: table, length (32 bits each), and the bytes to send to all
 * members of the table. The program prints its port, and exits at the first error.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TABLES = 4096, EVENTS = 256, GREETING = 5, HEAD = 8, MOST = 1 << 20 };

struct table { int *members, count, room; };

static struct table tables[TABLES];
static int publisher = -1;
static char buffer[MOST];
static size_t filled;

static void must(int ok, const char *what) {
    if (!ok) {
        perror(what);
        exit(1);
    }
}

static uint32_t number(const char *bytes) {
    uint32_t found;
    memcpy(&found, bytes, sizeof found);
    return found;
}

static void join(struct table *table, int member) {
    if (table->count == table->room) {
        table->room = table->room ? 2 * table->room : 4;
        table->members = realloc(table->members, table->room * sizeof *table->members);
        must(table->members != NULL, "realloc");
    }
    table->members[table->count++] = member;
}

static void fan_out(const struct table *table, const char *bytes, size_t length) {
    for (int i = 0; i < table->count; i++)
        must(send(table->members[i], bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)length, "send");
}

static void greet(int listener, int poll) {
    int one = 1, connection = accept(listener, NULL, NULL);
    char greeting[GREETING];
    must(connection >= 0, "accept");
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    must(recv(connection, greeting, GREETING, MSG_WAITALL) == GREETING, "greeting");
    if (greeting[0] == 'J') {
        join(&tables[number(greeting + 1) % TABLES], connection);
        must(send(connection, "J", 1, 0) == 1, "welcome");
        return;
    }
    struct epoll_event event = {.events = EPOLLIN, .data.fd = publisher = connection};
    must(epoll_ctl(poll, EPOLL_CTL_ADD, connection, &event) == 0, "epoll_ctl");
}

static void publish(void) {
    ssize_t got = read(publisher, buffer + filled, MOST - filled);
    if (got <= 0)
        exit(0);
    filled += got;
    size_t at = 0;
    while (filled - at >= HEAD && filled - at - HEAD >= number(buffer + at + 4)) {
        uint32_t length = number(buffer + at + 4);
        fan_out(&tables[number(buffer + at) % TABLES], buffer + at + HEAD, length);
        at += HEAD + length;
    }
    memmove(buffer, buffer + at, filled -= at);
}

int main(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0), poll = epoll_create1(0);
    must(bind(listener, (struct sockaddr *)&address, size) == 0 && listen(listener, 1024) == 0, "listen");
    getsockname(listener, (struct sockaddr *)&address, &size);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[EVENTS];
    must(epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event) == 0, "epoll_ctl");
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    for (;;) {
        int count = epoll_wait(poll, events, EVENTS, -1);
        for (int i = 0; i < count; i++)
            events[i].data.fd == listener ? greet(listener, poll) : publish();
    }
}
