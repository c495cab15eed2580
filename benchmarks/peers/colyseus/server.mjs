// `node server.mjs TEXT` runs rooms that send TEXT to their members. It prints a port for WebSockets and one for orders. An order is a
// line of JSON: {"rooms": n} opens rooms; {"seats": n} reserves n seats in each room and returns the paths for joining;
// {"tell": n} sends the text n times to each room.
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { Room, Server, matchMaker } from "@colyseus/core";
import { WebSocketTransport } from "@colyseus/ws-transport";

const text = process.argv[2];
const rooms = [];

class Table extends Room {
  autoDispose = false;
  maxClients = 2000;
  onCreate() {
    rooms.push(this);
  }
}

const house = new Server({ transport: new WebSocketTransport({ pingInterval: 0 }), greet: false });
house.define("table", Table);

const orders = {
  rooms: async (count) => {
    for (let nth = 0; nth < count; nth++) await matchMaker.createRoom("table", {});
  },
  seats: async (count) => {
    const paths = [];
    for (const { roomId } of rooms)
      for (let nth = 0; nth < count; nth++) {
        const { room, sessionId } = await matchMaker.joinById(roomId);
        paths.push(`/${room.processId}/${roomId}?sessionId=${sessionId}`);
      }
    return paths;
  },
  tell: (count) => {
    for (const room of rooms) for (let nth = 0; nth < count; nth++) room.broadcast("told", text);
  },
};

const control = createServer(async (line) => {
  for await (const order of createInterface(line)) {
    const [[name, count]] = Object.entries(JSON.parse(order));
    line.write(JSON.stringify((await orders[name](count)) ?? null) + "\n");
  }
});

await house.listen(0, "127.0.0.1");
control.listen(0, "127.0.0.1", () => console.log(house.transport.server.address().port, control.address().port));
