import asyncio

from tests.web.pictures import main

if __name__ == "__main__":
    asyncio.run(main())
